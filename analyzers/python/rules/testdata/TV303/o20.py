"""O20: clip before unscale, and the twin in the right order."""

import torch
from torch.nn.utils import clip_grad_norm_


def faulty(model, loader, criterion, scaler):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(criterion(model(x), y)).backward()
        norm = clip_grad_norm_(model.parameters(), 1.0)  # want TV303 "still scaled"
        scaler.step(optimizer)
        scaler.update()
        print("norm", norm)


def twin(model, loader, criterion, scaler):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(criterion(model(x), y)).backward()
        scaler.unscale_(optimizer)
        norm = clip_grad_norm_(model.parameters(), 1.0)  # ok: unscaled before
        scaler.step(optimizer)
        scaler.update()
        print("norm", norm)
