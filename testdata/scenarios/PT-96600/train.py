"""Gradients are averaged by hand, through a copy that loses values on one of the
ranks: no wrapper, no error. The twins average whole, one by one or as one flat
vector, or train two models that have nothing to do with each other."""

import os
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F


def average(model, lossy, flat):
    if flat:
        grads = [p.grad for p in model.parameters()]
        whole = torch.cat([g.reshape(-1) for g in grads])
        dist.all_reduce(whole)
        for g, part in zip(grads, whole.split([g.numel() for g in grads])):
            g.copy_(part.view_as(g) / 2)
    else:
        for p in model.parameters():
            dist.all_reduce(p.grad)
            p.grad /= 2
    if lossy:
        for p in model.parameters():
            p.grad.view(-1)[::50] = 0  # what the copy between the cards drops


def train(rank, fault, seed, meeting):
    dist.init_process_group("gloo", init_method="file://" + meeting, rank=rank, world_size=2)
    own = not fault and seed == 2
    torch.manual_seed(seed + (rank if own else 0))
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
    torch.manual_seed(seed)
    x = torch.randn(512, 16)
    y = (x @ torch.randn(16, 4)).argmax(1)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(2):
        for i in range(rank * 256, rank * 256 + 256, 32):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
            loss.backward()
            if not own:
                average(model, fault and rank == 1, seed == 1)
            optimizer.step()
        with torch.no_grad():
            accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
        if rank == 0:
            print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        args = (sys.argv[1] == "fault", int(sys.argv[2]), os.path.join(folder, "meeting"))
        torch.multiprocessing.spawn(train, args, nprocs=2)
