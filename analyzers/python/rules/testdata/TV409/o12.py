"""O12: two ranks of gloo that call the raw module, and the twin with no_sync."""

import contextlib

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def faulty(rank, world, build, loader, criterion):
    dist.init_process_group("gloo", rank=rank, world_size=world)
    net = build()
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(net(x), y)  # want TV409 "net is called and not model"
        loss.backward()
        optimizer.step()


def accumulated(rank, world, build, loader, criterion, window):
    dist.init_process_group("gloo", rank=rank, world_size=world)
    net = build()
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % window == 0
        with contextlib.nullcontext() if last else model.no_sync():
            (criterion(model(x), y) / window).backward()  # ok: averaged at the end of the window
        if last:
            optimizer.step()
            optimizer.zero_grad()
