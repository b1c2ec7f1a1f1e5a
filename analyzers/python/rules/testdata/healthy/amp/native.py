"""A trainer in float16: the scaler is made once, saved, and asked whether it skipped."""

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Trainer:
    def __init__(self, model, optimizer, scheduler, device, amp=True, limit=1.0, accumulate=4):
        self.model, self.optimizer, self.scheduler = model, optimizer, scheduler
        self.device, self.limit, self.accumulate = device, limit, accumulate
        self.scaler = torch.amp.GradScaler(device.type, enabled=amp, init_scale=1024.0)
        self.amp = amp
        self.attempted = self.skipped = 0

    def epoch(self, loader, criterion):
        self.model.train()
        self.optimizer.zero_grad(set_to_none=True)
        for i, (x, y) in enumerate(loader):
            with torch.autocast(self.device.type, dtype=torch.float16, enabled=self.amp):
                loss = criterion(self.model(x.to(self.device)), y.to(self.device))
            self.scaler.scale(loss / self.accumulate).backward()
            if (i + 1) % self.accumulate == 0 or i + 1 == len(loader):
                self.step()

    def step(self):
        self.scaler.unscale_(self.optimizer)
        clip_grad_norm_(self.model.parameters(), self.limit)
        before = self.scaler.get_scale()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)
        self.attempted += 1
        if self.scaler.get_scale() < before:
            self.skipped += 1
            print(f"{self.skipped} of {self.attempted} steps skipped")
        else:
            self.scheduler.step()

    def state(self):
        return {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "scaler": self.scaler.state_dict(),
            "scheduler": self.scheduler.state_dict(),
        }


class Head(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.out = nn.Linear(width, classes)

    def forward(self, x):
        return self.out(nn.functional.dropout(x, 0.1, training=self.training))
