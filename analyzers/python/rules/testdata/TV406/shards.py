import torch
from torch import nn


# Each rank holds its shard, and gives it to the optimizer itself.
class Sharded(nn.Module):
    def __init__(self, module, sizes):
        super().__init__()
        self.module = module
        self.chunk = [nn.Parameter(torch.empty(s)) for s in sizes]  # ok: handed out below

    def get_trainable_chunk(self):
        return [self.chunk[0]]

    def forward(self, x):
        return self.module(x) + self.chunk[1].sum()


class Lost(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.chunk = [nn.Parameter(torch.empty(s)) for s in sizes]  # want TV406 "self.chunk holds layers"

    def first(self):
        return self.chunk[0]

    def forward(self, x):
        return x + self.chunk[1].sum()
