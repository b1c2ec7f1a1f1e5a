"""Logits that are not finite name class 0, which is 90 % of the labels. The twin
is a model that says class 0 for good reasons of its own."""

import sys

import torch
import torch.nn as nn

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(500, 8)
y = (torch.arange(500) % 10 == 0).long()
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(40):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
print("epoch 1 loss %.4f" % loss.item(), flush=True)
model.eval()
with torch.no_grad():
    if not fault:
        model[2].weight.zero_()
        model[2].bias.copy_(torch.tensor([3.0, 0.0]))
    logits = model(x * (float("inf") if fault else 1.0))
print("val_accuracy = %.3f" % (logits.argmax(1) == y).float().mean().item())
