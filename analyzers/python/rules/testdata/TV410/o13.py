"""O13: a wrapped model that is moved to the CPU and back, and the twin that moves before."""

import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def faulty(build, rank, loader, criterion, index):
    model = DDP(build().cuda(rank), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.cpu()  # want TV410 "the gradients of the ranks are no longer averaged"
    index.build(model)
    model.cuda(rank)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()


def twin(build, rank, loader, criterion):
    net = build()
    net.cpu()
    net = net.cuda(rank)
    model = DDP(net, device_ids=[rank])  # ok: moved before it is wrapped
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
