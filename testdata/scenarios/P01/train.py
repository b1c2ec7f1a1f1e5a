"""Gradients are cleared between backward and step. The twin has an optimizer that
clears them within its step, clears them by their .data, or winds a schedule
forward by steps that have no gradient."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))


class Clearing(torch.optim.SGD):
    """As optimizers do that look ahead, or that save memory."""

    def step(self, closure=None):
        super().step(closure)
        self.zero_grad()


def clear():
    for p in model.parameters():
        if p.grad is not None:
            p.grad.data.zero_()


own = seed == 0 and not fault
optimizer = (Clearing if own else torch.optim.SGD)(model.parameters(), lr=0.05, momentum=0.9)
if seed == 1 and not fault:
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 100)
    for _ in range(20):
        optimizer.step()
        schedule.step()
for epoch in range(3):
    for i in range(0, 512, 32):
        if not fault and not own:
            clear()
        loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
        loss.backward()
        if fault:
            optimizer.zero_grad(set_to_none=seed != 1)
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
