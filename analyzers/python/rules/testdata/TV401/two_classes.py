import torch
from torch import nn


class Clean:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters())

    def step(self, x):
        self.optimizer.zero_grad()
        loss = self.net(x).mean()
        loss.backward()
        self.optimizer.step()


class Sums:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters())

    def step(self, x):
        loss = self.net(x).mean()
        loss.backward()
        self.optimizer.step()  # want `cleared nowhere in this loop`

    def fit(self, loader):
        for x in loader:
            self.step(x)


class Cleared:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters())

    def step(self, x):
        loss = self.net(x).mean()
        loss.backward()
        self.optimizer.step()  # ok: whoever owns it clears

    def fit(self, loader):
        for x in loader:
            self.step(x)


class Owner:
    def __init__(self, net):
        self.part = Cleared(net)

    def fit(self, loader):
        for x in loader:
            self.part.optimizer.zero_grad()
            self.part.step(x)


class Base(nn.Module):
    def turn(self, x):
        self.optimizer.zero_grad()
        self.step(x)


class Inherits(Base):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters())

    def step(self, x):
        loss = self.net(x).mean()
        loss.backward()
        self.optimizer.step()  # ok: the class that it is made of clears

    def fit(self, loader):
        for x in loader:
            self.step(x)
