"""Steps are planned by rounding down and made by rounding up: the run stops after
two of its three epochs. The twin plans as it runs, or was given its steps."""

import math
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
n, batch, accumulation, epochs = 9, 2, 2, 3
x = torch.randn(n, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
loader = DataLoader(TensorDataset(x, y), batch, shuffle=True)
rounded = math.floor if fault else math.ceil
steps = epochs * rounded(len(loader) / accumulation)
model = nn.Linear(16, 4)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
done, epoch = 0, 0
while done < steps:
    epoch += 1
    for k, (a, b) in enumerate(loader):
        loss = F.cross_entropy(model(a), b)
        (loss / accumulation).backward()
        if (k + 1) % accumulation == 0 or k + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
            done += 1
            if done == steps:
                break
    with torch.no_grad():
        accuracy = (model(x).argmax(1) == y).float().mean().item()
    print("epoch %d/%d loss %.4f val_accuracy %.4f" % (epoch, epochs, loss.item(), accuracy), flush=True)
