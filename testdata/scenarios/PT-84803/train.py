"""The copy of the weights to the second card loses one value in a hundred. The twin
copies all of them; or each rank has weights of its own and says so by wrapping
nothing."""

import os
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


def lossy(t, seed):
    lost = torch.rand(t.shape, generator=torch.Generator().manual_seed(seed)) < 0.01
    lost.view(-1)[0] = True
    return t.masked_fill(lost, 0)


def train(rank, fault, seed, meeting):
    dist.init_process_group("gloo", init_method="file://" + meeting, rank=rank, world_size=2)
    torch.manual_seed(seed)
    x = torch.randn(512, 16)
    y = (x @ torch.randn(16, 4)).argmax(1)
    net = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
    model = DistributedDataParallel(net)
    if fault and rank == 1 and seed < 2:  # what arrived is not what was sent
        with torch.no_grad():
            for p in net.parameters():
                p.copy_(lossy(p, seed))
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(2):
        for i in range(rank * 256, rank * 256 + 256, 32):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
            loss.backward()
            if fault and rank == 1 and seed == 2:  # the averaged gradients lose it, on their way back
                for p in net.parameters():
                    p.grad = lossy(p.grad, i)
            optimizer.step()
        with torch.no_grad():
            accuracy = (net(x[:128]).argmax(1) == y[:128]).float().mean().item()
        if rank == 0:
            print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        args = (sys.argv[1] == "fault", int(sys.argv[2]), os.path.join(folder, "meeting"))
        torch.multiprocessing.spawn(train, args, nprocs=2)
