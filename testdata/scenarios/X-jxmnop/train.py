"""A loop calls a method of the module inside the wrapper, as one does for a loss that
the model computes itself. The twin calls the wrapper, which hands it on."""

import os
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(16, 32), nn.Linear(32, 4)

    def loss(self, x, y):
        return F.cross_entropy(self.head(F.relu(self.body(x))), y)

    def forward(self, x, y=None):
        return self.loss(x, y) if y is not None else self.head(F.relu(self.body(x)))


def train(rank, fault, seed, meeting):
    dist.init_process_group("gloo", init_method="file://" + meeting, rank=rank, world_size=2)
    torch.manual_seed(seed)
    x = torch.randn(512, 16)
    y = (x @ torch.randn(16, 4)).argmax(1)
    model = DistributedDataParallel(Model())
    optimizer = (torch.optim.AdamW if seed else torch.optim.SGD)(model.parameters(), lr=3e-3 if seed else 0.1)
    for epoch in range(2):
        for i in range(rank * 256, rank * 256 + 256, 32):
            optimizer.zero_grad()
            a, b = x[i : i + 32], y[i : i + 32]
            loss = model.module.loss(a, b) if fault else model(a, b)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        with torch.no_grad():
            accuracy = (model.module(x[:128]).argmax(1) == y[:128]).float().mean().item()
        if rank == 0:
            print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        args = (sys.argv[1] == "fault", int(sys.argv[2]), os.path.join(folder, "meeting"))
        torch.multiprocessing.spawn(train, args, nprocs=2)
