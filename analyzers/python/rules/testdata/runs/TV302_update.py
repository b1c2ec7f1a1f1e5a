"""Without an update the scaler keeps what it knows of the last step: here gradients of the second one stay scaled."""

import torch
from torch.cuda.amp import GradScaler


def train(model, optimizer, loader):
    scaler = GradScaler()
    for x in loader:
        optimizer.zero_grad()
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)


model = torch.Model()
train(model, torch.optim.SGD(model.parameters()), [0.25, 0.25])
assert abs(model.weights[0].value - 0.5) < 1e-6, model.weights[0].value
