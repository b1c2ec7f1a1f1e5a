"""Tensor parallelism by hand: each rank has its half of the wide layers and a copy
of the rest, whose gradients all ranks average. Rank 0 alone clips the copies. The
twin clips on both, or has no copies at all and a model on each rank."""

import os
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F


class Whole(torch.autograd.Function):
    """The sum over the ranks; its gradient is everyone's."""

    @staticmethod
    def forward(ctx, part):
        whole = part.clone()
        dist.all_reduce(whole)
        return whole

    @staticmethod
    def backward(ctx, grad):
        return grad


class Block(nn.Module):
    def __init__(self, own):
        super().__init__()
        self.own = own
        self.enter = nn.Linear(16, 24)
        self.norm = nn.LayerNorm(24)
        self.leave = nn.Linear(24, 4)
        self.up, self.down = nn.Linear(24, 16), nn.Linear(16, 24, bias=False)

    def forward(self, x):
        x = self.norm(self.enter(x))
        part = self.down(F.gelu(self.up(x)))
        return self.leave(x + (part if self.own else Whole.apply(part)))


def train(rank, fault, seed, meeting):
    dist.init_process_group("gloo", init_method="file://" + meeting, rank=rank, world_size=2)
    torch.manual_seed(seed)
    x = torch.randn(512, 16)
    y = (x @ torch.randn(16, 4)).argmax(1)
    own = not fault and seed == 2  # two models that have nothing to do with each other
    if own:
        torch.manual_seed(seed + 100 + rank)
    model = Block(own)
    torch.manual_seed(seed + 10 * rank)
    for part in (model.up, model.down):
        part.reset_parameters()
    copies = [p for m in (model.enter, model.norm, model.leave) for p in m.parameters()]
    optimizer = (torch.optim.SGD if seed else torch.optim.AdamW)(model.parameters(), lr=0.05 if seed else 3e-3)
    for epoch in range(2):
        for i in range(0, 512, 32):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
            loss.backward()
            if not own:
                for p in copies:
                    dist.all_reduce(p.grad)
                    p.grad /= 2
            nn.utils.clip_grad_norm_(copies if rank == 0 or not fault else [model.up.weight], 0.1)
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
