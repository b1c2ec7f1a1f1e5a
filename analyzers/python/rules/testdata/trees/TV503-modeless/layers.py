import math

import torch
import torch.nn.functional as F
from torch import nn


class Gate(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(width) / math.sqrt(width))

    def forward(self, x):
        return x * torch.sigmoid(self.weight)


class Base(nn.Module):
    def reset(self):
        for p in self.parameters():
            nn.init.zeros_(p)


class Plain(Base):
    def __init__(self, width, depth):
        super().__init__()
        self.width = width
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])
        self.layers.append(Gate(width))
        self.rnn = nn.LSTM(width, width, batch_first=True)
        self.head = tower(width)
        self.act = F.relu

    def forward(self, x):
        for layer in self.layers:
            x = self.act(layer(x))
        x, _ = self.rnn(x)
        return self.head(x.view(x.size(0), -1))


def tower(width):
    layers = [nn.Linear(width, width)]
    layers.append(nn.LayerNorm(width))
    return nn.Sequential(*layers, nn.ReLU())


class Dropped(Plain):
    def forward(self, x):
        return F.dropout(super().forward(x), 0.1, self.training)


class Held(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body

    def forward(self, x):
        return self.body(x)


class Recurrent(nn.Module):
    def __init__(self, width, p):
        super().__init__()
        self.rnn = nn.GRU(width, width, 2, dropout=p)

    def forward(self, x):
        return self.rnn(x)[0]


class Made(nn.Module):
    def __init__(self, make):
        super().__init__()
        self.body = make()

    def forward(self, x):
        return self.body(x)


def normalised(width):
    return nn.Sequential(nn.Linear(width, width), nn.BatchNorm1d(width))
