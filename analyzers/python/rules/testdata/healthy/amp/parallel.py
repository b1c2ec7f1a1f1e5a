"""Two trainers over ranks that are right: averaged with accumulation, and sharded."""

import contextlib
import math

import torch
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.optim.lr_scheduler import LambdaLR


class Net(nn.Module):
    def __init__(self, width, depth, classes):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])
        self.out = nn.Linear(width, classes)

    def forward(self, x):
        for block in self.blocks:
            x = nn.functional.dropout(torch.relu(block(x)), 0.1, training=self.training)
        return self.out(x)


def averaged(net, loader, criterion, epochs, window, rank):
    net = net.to(rank)
    model = DDP(net, device_ids=[rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    updates = math.ceil(len(loader) / window) * epochs
    scheduler = LambdaLR(optimizer, lambda step: 1 - step / updates)
    for epoch in range(epochs):
        model.train()
        loader.sampler.set_epoch(epoch)
        total = 0.0
        for i, (x, y) in enumerate(loader):
            last = (i + 1) % window == 0 or i + 1 == len(loader)
            with contextlib.nullcontext() if last else model.no_sync():
                loss = criterion(model(x.to(rank)), y.to(rank)) / window
                loss.backward()
            total += loss.detach()
            if last:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad(set_to_none=True)
        print(epoch, total.item())


def sharded(net, loader, criterion, rank):
    model = FSDP(net.to(rank))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    model.train()
    for x, y in loader:
        optimizer.zero_grad(set_to_none=True)
        criterion(model(x.to(rank)), y.to(rank)).backward()
        model.clip_grad_norm_(1.0)
        optimizer.step()
