import torch
from sklearn.preprocessing import StandardScaler
from torch.cuda.amp import GradScaler


def plain(model, loader, optimizer):
    scaler = GradScaler()
    for x in loader:
        scaler.scale(model(x).mean()).backward()
        scaler.step(optimizer)  # ok: updated below
        scaler.update()


class Split:
    def __init__(self):
        self.scaler = GradScaler()

    def step(self, loss, optimizer):
        self.scaler.scale(loss).backward()
        self.scaler.step(optimizer)  # ok: another method updates

    def after(self):
        self.scaler.update()


def lent(model, loader, optimizer, finish):
    amp_scaler = GradScaler()
    for x in loader:
        amp_scaler.scale(model(x)).backward()
        amp_scaler.step(optimizer)  # ok: finish may update it
        finish(amp_scaler)


def one_step(loss, optimizer, grad_scaler):
    grad_scaler.scale(loss).backward()
    grad_scaler.step(optimizer)  # ok: no loop here, the caller updates


def off(model, loader, optimizer):
    scaler_off = GradScaler(enabled=False)
    for x in loader:
        scaler_off.scale(model(x)).backward()
        scaler_off.step(optimizer)  # ok: switched off


def features(loader):
    target_scaler = StandardScaler()
    for x in loader:
        target_scaler.step(x)  # ok: of features


def nothing(loader, lr_scaler):
    for _ in loader:
        lr_scaler.step()  # ok: takes no optimizer


def returned(model, loader, optimizer):
    kept_scaler = GradScaler()
    for x in loader:
        kept_scaler.scale(model(x)).backward()
        kept_scaler.step(optimizer)  # ok: given back, the caller updates
    return kept_scaler


def made_elsewhere(loader, optimizer, make):
    my_scaler = make()
    for _ in loader:
        my_scaler.step(optimizer)  # ok: nothing here scales or makes it


def finally_updated(model, loader, optimizer):
    late_scaler = torch.amp.GradScaler("cuda")
    for x in loader:
        try:
            late_scaler.scale(model(x)).backward()
            late_scaler.step(optimizer)  # ok: updated whatever comes
        finally:
            late_scaler.update()
