"""Stepped on while scaled, a gradient of 0.25 moves the weight by 16384."""

import torch


def train(model, optimizer, scaler, loader):
    for x in loader:
        optimizer.zero_grad()
        scaler.scale(model(x)).backward()
        optimizer.step()


model, scaler = torch.Model(), torch.amp.GradScaler("cuda")
train(model, torch.optim.SGD(model.parameters()), scaler, [0.25, 0.25])
assert abs(model.weights[0].value - 0.5) < 1e-6, model.weights[0].value
assert scaler.updates == 2, scaler.updates
