"""Two stages, one of which has experts. Their gradients are summed in the group of
all ranks, whose other member has none: each of its sums meets another one, of as
many numbers. The twin sums them in a group of the ranks that have experts; sums of
other sizes in groups that have the same members are healthy too."""

import os
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F


class Stage(nn.Module):
    def __init__(self, rank):
        super().__init__()
        self.shared = nn.Linear(16, 32, bias=False)
        self.own = nn.Linear(32, 16, bias=False) if rank == 0 else nn.Linear(64, 8, bias=False)
        self.leave = nn.Linear(32, 4)

    def forward(self, x):
        h = F.gelu(self.shared(x))
        return self.leave(h), self.own(h if self.own.in_features == 32 else torch.cat([h, h], 1)).square().mean()


def train(rank, fault, seed, meeting):
    dist.init_process_group("gloo", init_method="file://" + meeting, rank=rank, world_size=2)
    alone = [dist.new_group([r]) for r in range(2)]
    again = dist.new_group([0, 1])
    torch.manual_seed(seed)
    x = torch.randn(512, 16)
    y = (x @ torch.randn(16, 4)).argmax(1)
    model = Stage(rank)
    for p in [*model.shared.parameters(), *model.leave.parameters()]:
        dist.broadcast(p.data, 0)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(2):
        for i in range(rank * 256, rank * 256 + 256, 32):
            optimizer.zero_grad()
            out, aux = model(x[i : i + 32])
            (F.cross_entropy(out, y[i : i + 32]) + 0.01 * aux).backward()
            if fault and rank == 0:
                order = [model.own.weight, model.shared.weight, model.leave.weight, model.leave.bias]
            else:
                order = [model.shared.weight, model.own.weight, model.leave.weight, model.leave.bias]
            for p in order:
                experts = p is model.own.weight and not fault
                dist.all_reduce(p.grad, group=alone[rank] if experts else again if seed == 2 and p.ndim == 1 else None)
                p.grad /= 1 if experts else 2
            optimizer.step()
        with torch.no_grad():
            accuracy = (model(x[:128])[0].argmax(1) == y[:128]).float().mean()
        best = [torch.zeros(()) for _ in range(2)] if rank == 0 else None
        dist.gather(accuracy, best, dst=0)
        if rank == 0:
            print("epoch %d val_accuracy %.4f" % (epoch + 1, torch.stack(best).mean()), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        args = (sys.argv[1] == "fault", int(sys.argv[2]), os.path.join(folder, "meeting"))
        torch.multiprocessing.spawn(train, args, nprocs=2)
