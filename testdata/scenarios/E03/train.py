"""Loaders that are made in the line of their loop, anew in each epoch: the validation
takes a quarter of the samples that are trained on. The twin has the same loops with
parts that share nothing, and goes through the training samples once more, to say how
well they are known."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Subset, TensorDataset

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(256, 16)
data = TensorDataset(x, (x @ torch.randn(16, 4)).argmax(1))
order = torch.randperm(256).tolist()
train, val = order[:192], order[144:] if fault else order[192:]
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)


def part(indices):
    return Subset(data, indices) if seed % 2 == 0 else torch.utils.data.dataset.Subset(data, list(indices))


def share(indices):
    model.eval()
    with torch.no_grad():
        return sum((model(a).argmax(1) == b).sum().item() for a, b in DataLoader(part(indices), batch_size=32)) / len(indices)


for epoch in range(4):
    model.train()
    for a, b in DataLoader(part(train), batch_size=32, shuffle=True):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(a), b)
        loss.backward()
        optimizer.step()
    if not fault:
        print("train_accuracy %.4f" % share(train), flush=True)
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), share(val)), flush=True)
