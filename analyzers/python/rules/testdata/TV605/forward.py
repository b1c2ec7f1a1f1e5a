import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, mask):
        a = x + torch.zeros(4)  # want TV605 "made on the default device and meets one of the model"
        b = torch.ones(4) * x  # want TV605 "meets one of the model"
        c = x + torch.zeros(4, device=x.device)  # ok: on the device of x
        d = x + torch.zeros_like(x)  # ok: the same
        e = x + torch.ones(4).to(x.device)  # ok: moved
        n = torch.arange(4)  # ok: not computed with here
        return a, b, c, d, e, n


def prepare(x):
    return x + torch.zeros(4)  # ok: on the host
