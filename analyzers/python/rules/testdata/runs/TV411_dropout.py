"""Dropout without its flag drops in evaluation too."""

import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5)


assert Net().eval().forward(1.0) == 1.0
