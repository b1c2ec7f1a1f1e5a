import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Raw:
    def __init__(self, model, rank):
        self.raw = model.to(rank)
        self.model = DDP(self.raw, device_ids=[rank])

    def train_step(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.cross_entropy(self.raw(x), y)  # want TV409 "self.raw is called and not self.model"
        loss.backward()
        self.optimizer.step()


class Inner:
    def __init__(self, model, rank):
        self.model = DDP(model.to(rank), device_ids=[rank])

    def train_step(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.cross_entropy(self.model.module(x), y)  # want TV409 "not averaged"
        loss.backward()
        self.optimizer.step()


class Right:
    def __init__(self, model, rank):
        self.model = DDP(model.to(rank), device_ids=[rank])

    def train_step(self, x, y):
        loss = nn.functional.cross_entropy(self.model(x), y)  # ok: the wrapper
        loss.backward()
        self.optimizer.step()

    @torch.no_grad()
    def validate(self, x):
        return self.model.module(x)  # ok: nothing is trained here


class Both:
    def __init__(self, model, rank):
        self.raw = model
        self.model = DDP(self.raw)

    def train_step(self, x):
        with torch.no_grad():
            teacher = self.raw(x)
        loss = (self.model(x) - teacher).mean()  # ok: the wrapper is called, too
        loss.backward()
