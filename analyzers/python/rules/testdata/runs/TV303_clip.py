"""Clipped while scaled, a gradient of 0.5 becomes 1/65536 and the weight does not move."""

import torch
from torch.nn.utils import clip_grad_norm_


def train(model, optimizer, scaler, loader):
    for x in loader:
        optimizer.zero_grad()
        scaler.scale(model(x)).backward()
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()


model = torch.Model()
train(model, torch.optim.SGD(model.parameters()), torch.amp.GradScaler("cuda"), [0.25, 0.25])
assert abs(model.weights[0].value - 0.5) < 1e-6, model.weights[0].value
