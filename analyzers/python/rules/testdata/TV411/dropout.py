import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.functional import dropout


class Net(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        x = F.dropout(x)  # want TV411 "on in evaluation too"
        x = F.dropout(x, self.p)  # want TV411 "training flag"
        x = F.dropout(self.fc(x), p=0.5)  # want TV411 "at random"
        x = torch.nn.functional.dropout2d(x, 0.1)  # want TV411 "dropout"
        return dropout(x, inplace=True)  # want TV411 "dropout"

    def features(self, x):
        return nn.functional.alpha_dropout(  # want TV411 "dropout"
            x,
            self.p,
        )


class Encoder(nn.Module):
    def forward(self, x):
        for layer in self.layers:
            x = F.dropout3d(layer(x), p=0.2)  # want TV411 "dropout"
        return x


class Healthy(nn.Module):
    def forward(self, x, p=0.1):
        x = F.dropout(x, 0.1, self.training)  # ok: the flag is the third argument
        x = F.dropout(x, p=self.p, training=self.training)  # ok: by name
        x = F.dropout(x, p=0.5, training=True)  # ok: meant, and said
        x = F.dropout(x, p)  # ok: the caller decides
        x = F.dropout(x, p=0.0)  # ok: drops nothing
        x = F.dropout(x, self.p * self.training)  # ok: nothing in evaluation
        if self.training:
            x = F.dropout(x, 0.3)  # ok: only in training
        x = F.dropout(x, 0.3) if self.training else x  # ok: only in training
        return F.dropout(x, 0.5)  # always, as the paper has it


class Early(nn.Module):
    def forward(self, x):
        if not self.training:
            return x
        return F.dropout(x, 0.5)  # ok: evaluation has left


class Rate(nn.Module):
    def forward(self, x):
        rate = self.p if self.training else 0.0
        return F.dropout(x, rate)  # ok: nothing in evaluation


class Prenet(nn.Module):
    def forward(self, x):
        return F.dropout(self.fc(x), 0.5)  # ok: speech decoders drop on purpose


class Uncertain(nn.Module):
    def mc_dropout(self, x):
        return F.dropout(x, 0.5)  # ok: Monte Carlo


class Options(nn.Module):
    def forward(self, x, **kwargs):
        return F.dropout(x, **kwargs)  # ok: what it is given is not seen


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        return self.dropout(x)  # ok: a module knows its mode


def augment(x):
    return F.dropout(x, 0.1)  # ok: no module: a function that augments
