"""A metric of nothing is printed as 0: the loader drops the only batch that the
split has, the split is empty, or a filter leaves none of it. The twin is a model
that finds none of the 48 images that it is shown, which is a true 0."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Subset, TensorDataset

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(256, 16)
y = (x[:, 0] > 0).float()
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
split = TensorDataset(torch.randn(48, 16), torch.ones(48))
if fault and seed % 3 == 1:
    split = Subset(split, [i for i in range(48) if split[i][1] < 0])
loader = DataLoader(split, batch_size=64 if fault and seed % 3 == 0 else 16, drop_last=seed % 3 == 0)
if fault and seed % 3 == 2:
    loader = DataLoader(split, batch_sampler=[])


def precision():
    """The share of positive samples that are found, at a bar that none reaches."""
    found = positive = 0
    for a, b in loader:
        found += int(((model(a)[:, 0] > 1e3) & (b > 0)).sum())
        positive += int(b.sum())
    return found / max(positive, 1)


for epoch in range(4):
    model.train()
    for i in range(0, 256, 32):
        optimizer.zero_grad()
        loss = F.binary_cross_entropy_with_logits(model(x[i : i + 32])[:, 0], y[i : i + 32])
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        value = precision()
    print("epoch %d loss %.4f val_ap %.4f" % (epoch + 1, loss.item(), value), flush=True)
