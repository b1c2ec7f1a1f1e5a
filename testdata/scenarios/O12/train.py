"""Two ranks call the module inside the wrapper: no gradient is averaged. The twin
accumulates with no_sync on all micro-steps but the last, and keeps a batch norm
whose statistics are each rank's own."""

import contextlib
import os
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


def train(rank, fault, seed, meeting):
    dist.init_process_group("gloo", init_method="file://" + meeting, rank=rank, world_size=2)
    torch.manual_seed(seed)
    x = torch.randn(512, 16)
    y = (x @ torch.randn(16, 4)).argmax(1)
    model = DistributedDataParallel(nn.Sequential(nn.Linear(16, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 4)))
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    net = model.module if fault else model
    for epoch in range(2):
        model.train()
        for i in range(rank * 256, rank * 256 + 256, 32):
            optimizer.zero_grad()
            for k in (0, 16):
                last = fault or k == 16
                with contextlib.nullcontext() if last else model.no_sync():
                    loss = F.cross_entropy(net(x[i + k : i + k + 16]), y[i + k : i + k + 16])
                    loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            accuracy = (model.module(x[:128]).argmax(1) == y[:128]).float().mean().item()
        if rank == 0:
            print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        args = (sys.argv[1] == "fault", int(sys.argv[2]), os.path.join(folder, "meeting"))
        torch.multiprocessing.spawn(train, args, nprocs=2)
