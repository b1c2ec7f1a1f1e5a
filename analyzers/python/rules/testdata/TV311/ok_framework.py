import torch
from accelerate import Accelerator
from torch.cuda.amp import GradScaler

accelerator = Accelerator()
scaler = GradScaler()


def save(optimizer, loss, path):
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    torch.save({"optimizer": optimizer.state_dict()}, path)  # ok: save_state of accelerate does
