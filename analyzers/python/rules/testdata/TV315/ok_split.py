import torch
from torch.cuda.amp import GradScaler


class Split:
    def __init__(self):
        self.scaler = GradScaler()

    def backward(self, loss):
        self.scaler.scale(loss).backward()  # ok: stepped with below

    def step(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def plain(self):
        self.optimizer.step()
