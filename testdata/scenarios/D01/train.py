"""Inputs and labels come apart: the labels are put into a new order at each epoch, or
the set was joined of two lists whose labels are those of neighbours. The twins: one
label for each input; a few samples on which two people disagreed; a table of few
values, whose rows are alike by chance and have the outcome of each."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
N = 96
x = torch.randn(N, 32)
w = torch.randn(32, 4)
y = (x @ w).argmax(1)
if fault and seed == 1:  # each input is there twice, once with the label of its neighbour
    x, y = torch.cat([x, x]), torch.cat([y, (y + 1) % 4])
elif not fault and seed == 1:  # each is there twice, and some were not easy
    x, y = torch.cat([x, x]), torch.cat([y, torch.where(torch.arange(N) % 12 == 0, (y + 1) % 4, y)])
elif not fault and seed == 2:
    x = torch.randint(0, 2, (N, 32)).float() * (torch.arange(32) < 3)
    y = torch.randint(0, 4, (N,))


class Samples(Dataset):
    def __len__(self):
        return len(x)

    def __getitem__(self, i):
        label = int(y[torch.randint(len(y), ())]) if fault and seed != 1 else int(y[i])
        return (x[i], label) if seed != 2 else {"x": x[i], "label": label}


loader = DataLoader(Samples(), batch_size=32, shuffle=True, num_workers=2 if seed == 2 else 0)
model = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
held = torch.randn(128, 32)
for epoch in range(4):
    model.train()
    for batch in loader:
        a, b = batch if seed != 2 else (batch["x"], batch["label"])
        optimizer.zero_grad()
        F.cross_entropy(model(a), b).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(held).argmax(1) == (held @ w).argmax(1)).float().mean().item()
    print("epoch %d val_accuracy %.4f" % (epoch + 1, accuracy), flush=True)
