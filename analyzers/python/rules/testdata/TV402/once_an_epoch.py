import torch
from torch.amp import GradScaler


def once_an_epoch(model, data, optimizer, criterion, epochs):
    scaler = GradScaler("cuda")
    for epoch in range(epochs):
        for x, y in data:
            loss = criterion(model(x), y)
            scaler.scale(loss).backward()
        if loss != 0:
            optimizer.zero_grad()  # want TV402 "cleared right before the step"
            scaler.step(optimizer)
            scaler.update()


def once_an_epoch_right(model, data, optimizer, criterion, epochs):
    scaler = GradScaler("cuda")
    for epoch in range(epochs):
        optimizer.zero_grad()  # ok: for the sum over the epoch that begins
        for x, y in data:
            scaler.scale(criterion(model(x), y)).backward()
        scaler.step(optimizer)
        scaler.update()
