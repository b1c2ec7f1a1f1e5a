import torch
from torch.cuda.amp import GradScaler, autocast


def train(model, loader, optimizer, backward):
    scaler = GradScaler()
    for x in loader:
        with autocast():  # ok: this file scales
            loss = model(x).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
