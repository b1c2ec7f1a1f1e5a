"""Layers in a list are not found."""

import torch.nn as nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(n)]

    def forward(self, x):
        return [layer for layer in self.layers]


assert len(Net(3).parameters()) == 3
