import torch
from torch.cuda.amp import GradScaler


def train(model, loader, optimizer, path):
    scaler = GradScaler(enabled=False)
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()
    torch.save({"optimizer": optimizer.state_dict()}, path)  # ok: it is off


def export(model, path):
    torch.save(model.state_dict(), path)  # ok: weights alone, nobody resumes


def copy(optimizer):
    saved = optimizer.state_dict()  # ok: stays in memory
    return saved
