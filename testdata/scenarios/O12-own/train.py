"""Two ranks average gradients by hand, and clip by the norm that each had before; or
they average when the step was made already. The twins have one seed and sum only what they report: a search
over learning rates, actors with policies of their own beside one learner, a
generator that all ranks train against a discriminator of each rank's own."""

import os
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


def net(inputs=16, outputs=4):
    return nn.Sequential(nn.Linear(inputs, 32), nn.ReLU(), nn.Linear(32, outputs))


def average(params):
    for p in params:
        dist.all_reduce(p.grad)
        p.grad /= 2


class ByHand:
    def __init__(self, seed):
        self.model, self.late = net(), seed == 1
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=3e-3)

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.model(x), y)
        loss.backward()
        if not self.late:
            norm = torch.cat([p.grad.reshape(-1) for p in self.model.parameters()]).norm()
            average(self.model.parameters())
            for p in self.model.parameters():
                p.grad *= min(1.0, 0.2 / norm.item())
        self.optimizer.step()
        if self.late:
            average(self.model.parameters())
        return loss


class Search:
    def __init__(self, rank):
        self.model = net()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=3e-3 * (1 + rank))

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss


class Actors:
    def __init__(self, rank):
        self.policy, self.model = Search(rank), DistributedDataParallel(net())
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=3e-3)

    def step(self, x, y):
        self.policy.step(x, y)
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.model(x), y) + F.cross_entropy(self.model(x), self.policy.model(x).argmax(1))
        loss.backward()
        self.optimizer.step()
        return loss


class Adversaries:
    def __init__(self, rank):
        self.model, self.maker = net(outputs=5), DistributedDataParallel(nn.Linear(4, 16))
        self.optimizers = [torch.optim.Adam(m.parameters(), lr=3e-3) for m in (self.model, self.maker)]

    def step(self, x, y):
        judge, make = self.optimizers
        made, false = self.maker(torch.randn(len(x), 4)), torch.full((len(x),), 4)
        judge.zero_grad()
        loss = F.cross_entropy(self.model(x), y) + F.cross_entropy(self.model(made.detach()), false)
        loss.backward()
        judge.step()
        make.zero_grad()
        (-F.cross_entropy(self.model(made), false)).backward()
        make.step()
        return loss


def train(rank, fault, seed, meeting):
    dist.init_process_group("gloo", init_method="file://" + meeting, rank=rank, world_size=2)
    torch.manual_seed(seed)
    x = torch.randn(512, 16)
    y = (x @ torch.randn(16, 4)).argmax(1)
    run = ByHand(seed) if fault else (Search, Actors, Adversaries)[seed](rank)
    torch.manual_seed(seed + 100 * rank)  # noise of their own
    for epoch in range(3):
        for i in range(rank * 256, rank * 256 + 256, 32):
            loss = run.step(x[i : i + 32], y[i : i + 32]).detach()
            dist.all_reduce(loss)
        with torch.no_grad():
            accuracy = (run.model(x[:128])[:, :4].argmax(1) == y[:128]).float().mean().item()
        if rank == 0:
            print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item() / 2, accuracy), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        args = (sys.argv[1] == "fault", int(sys.argv[2]), os.path.join(folder, "meeting"))
        torch.multiprocessing.spawn(train, args, nprocs=2)
