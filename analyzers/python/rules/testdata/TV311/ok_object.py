import torch
from torch.cuda.amp import GradScaler


def train(model, loader, optimizer, path):
    scaler = GradScaler()
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()
    objects = {"model": model, "scaler": scaler}
    states = {name: o.state_dict() for name, o in objects.items()}
    states["optimizer"] = {"state": optimizer.state_dict()}  # ok: the table has the scaler
    torch.save(states, path)
