import torch


def step(scaler, loss, optimizer):
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()


def save(optimizer, path):
    torch.save({"optimizer": optimizer.state_dict()}, path)  # ok: who made the scaler may save it
