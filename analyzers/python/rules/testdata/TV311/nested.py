import torch
from torch.cuda.amp import GradScaler

scaler = GradScaler()


def train(model, loader, optimizers, optimizer, path):
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()


def save(fabric_path, model, optimizer):
    torch.save({"state": {"optimizer": optimizer.state_dict()}}, fabric_path)  # want TV311 "scaler is not"
