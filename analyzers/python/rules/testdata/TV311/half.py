import torch
from torch.cuda.amp import GradScaler


class Trainer:
    scaler = None

    def __init__(self, amp, optim):
        self.optim = optim
        self.grad_scaler = GradScaler() if amp else None
        self.scaler = GradScaler()

    def step(self, loss):
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optim)

    def state(self):
        return {"optim": self.optim.state_dict()}  # want TV311 "scaler is not"
