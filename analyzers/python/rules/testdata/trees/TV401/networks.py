from torch import nn


class Clearing(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 1)

    def forward(self, x, y):
        self.zero_grad()
        return (self.layer(x) - y).pow(2).mean()


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 1)

    def forward(self, x, y):
        return (self.layer(x) - y).pow(2).mean()
