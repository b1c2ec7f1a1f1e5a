import torch
from torch import optim
from torch.cuda.amp import GradScaler


def once(model, loader, optimizer, epochs):
    scaler = GradScaler()  # ok: made once
    for epoch in range(epochs):
        for x in loader:
            scaler.scale(model(x)).backward()
            scaler.step(optimizer)
            scaler.update()


def folds(build, loaders):
    for fold, loader in enumerate(loaders):
        model = build()
        optimizer = optim.SGD(model.parameters(), lr=0.1)
        scaler = GradScaler()  # ok: a model of its own in each turn
        for x in loader:
            scaler.scale(model(x)).backward()
            scaler.step(optimizer)


def fold_loaders(splits, model, optimizer):
    for fold_loader in splits:  # ok: folds
        scaler = GradScaler()
        scaler.step(optimizer)


def trial(model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    scaler = GradScaler()  # ok: with its optimizer
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)


def sweep(build, loader):
    for epoch in range(3):
        trial(build(), loader)


def off(loader, optimizer):
    for x in loader:
        scaler = GradScaler(enabled=False)  # ok: keeps nothing
        scaler.step(optimizer)


class Trainer:
    def __init__(self):
        self.scaler = GradScaler()  # ok: kept

    def step(self, loss):
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)


def benchmark(sizes, optimizer):
    for size in sizes:
        scaler = GradScaler()  # ok: each size is a measurement of its own
        scaler.step(optimizer)


def helper(optimizer):
    scaler = GradScaler()
    scaler.step(optimizer)


def calls(optimizer):
    helper(optimizer)  # ok: no loop around it


def table(names):
    return {name: GradScaler() for name in names}  # ok: one for each name


def make():
    return GradScaler()  # ok: whoever calls it keeps it


def lists(loaders):
    scalers = [GradScaler() for _ in loaders]  # ok: as many as loaders
    for loader in loaders:
        scalers[0].step(loader)
