import torch
from torch.cuda.amp import GradScaler


class Trainer:
    def __init__(self):
        self.scaler = GradScaler()

    def step(self, loss):
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def save(self, path):
        torch.save(
            {
                "model": self.model.state_dict(),
                "optimizer": self.optimizer.state_dict(),  # want TV311 "scaler is not"
            },
            path,
        )
