import torch
from torch.cuda.amp import GradScaler


def train(model, loader, optimizer, path):
    scaler = GradScaler()
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()
    torch.save({"optimizer": optimizer.state_dict(), "scaler": scaler.state_dict()}, path)  # ok: both
