import torch
from torch.cuda.amp import autocast


def plain(model, x, optimizer):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(x).mean()
        loss.backward()  # want TV312 "under autocast"
    optimizer.step()


def around(model, loader, optimizer):
    with autocast():
        for x in loader:
            model(x).mean().backward()  # want TV312 "cast a second time"
            optimizer.step()


def healthy(model, x, optimizer):
    with autocast():
        loss = model(x).mean()
    loss.backward()  # ok: behind it
    optimizer.step()


def island(model, x):
    with autocast(enabled=False):
        model(x).backward()  # ok: autocast is off


def nested(model, x):
    with autocast():

        def later(loss):
            loss.backward()  # ok: when it runs is not known

        return later, model(x)
