import torch
from torch.cuda.amp import GradScaler


def resume(path, optimizer, loss):
    scaler = GradScaler()
    state = torch.load(path)
    scaler.load_state_dict(state["scaler"])
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    torch.save({"optimizer": optimizer.state_dict()}, path)  # ok: another part of the trainer saves it


class StandardScaler:
    pass


def features(scaler=StandardScaler()):
    return scaler
