import torch
from torch.cuda.amp import GradScaler, autocast


def train(model, loader, optimizer):
    scaler = GradScaler()
    for x in loader:
        scaler.scale(model(x).mean()).backward()
        scaler.step(optimizer)  # want TV302 "never updated"


def given(model, loader, optimizer, amp_scaler):
    for x in loader:
        amp_scaler.scale(model(x).mean()).backward()
        amp_scaler.step(optimizer)  # want TV302 "amp_scaler is never updated"


def accumulated(model, loader, optimizer, n):
    grad_scaler = torch.amp.GradScaler("cuda")
    for i, x in enumerate(loader):
        grad_scaler.scale(model(x).mean()).backward()
        if i % n == 0:
            grad_scaler.step(optimizer)  # want TV302 "grad_scaler"


class Trainer:
    def __init__(self):
        self.loss_scaler_ = GradScaler()

    def train(self, loss, optimizer):
        self.loss_scaler_.scale(loss).backward()
        self.loss_scaler_.unscale_(optimizer)
        self.loss_scaler_.step(optimizer)  # want TV302 "never updated"


def module_level(model, loader, optimizer):
    scaler_d = GradScaler()
    for x in loader:
        with autocast():
            loss = model(x)
        scaler_d.scale(loss).backward()
        if x is not None:
            scaler_d.step(optimizer)  # want TV302 "scaler_d"


def two(model, loader, g, d):
    scaler_g, scaler_x = GradScaler(), 0
    scaler_e = GradScaler()
    for x in loader:
        scaler_e.scale(model(x)).backward()
        scaler_e.step(g)  # want TV302 "scaler_e"
        scaler_g.update()
