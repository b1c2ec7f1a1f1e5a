import torch
from torch.amp import GradScaler


def train(model, loader, optimizer, path):
    grad_scaler = GradScaler("cuda")
    for x in loader:
        grad_scaler.scale(model(x)).backward()
        grad_scaler.step(optimizer)
        grad_scaler.update()
    torch.save(model.state_dict(), path)
    torch.save(optimizer.state_dict(), path + ".opt")  # want TV311 "a resumed run"
