"""Nobody clears the gradients. The twin accumulates over 4 micro-batches and
clears at the boundary, in one of three ways."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)


def clear():
    if fault:
        return
    if seed % 3 == 0:
        optimizer.zero_grad()
    elif seed % 3 == 1:
        model.zero_grad(set_to_none=False)
    else:
        for p in model.parameters():
            p.grad = None


for epoch in range(4):
    for k, i in enumerate(range(0, 512, 32)):
        if fault or k % 4 == 0:
            clear()
        loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
        loss.backward()
        if fault or k % 4 == 3:
            optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
