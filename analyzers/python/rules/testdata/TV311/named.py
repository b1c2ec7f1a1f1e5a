import torch
from torch.cuda import amp


def train(model, loader, optimizer, lr_scheduler, path, on):
    scaler = amp.GradScaler(enabled=on)
    for epoch, x in enumerate(loader):
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()
        checkpoint = {"epoch": epoch, "optimizer": optimizer.state_dict()}  # want TV311 "scaler is not"
        torch.save(checkpoint, path)
