import torch
from torch.cuda.amp import GradScaler


class Trainer:
    def __init__(self, model):
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scaler = GradScaler()

    def backward(self, loss):
        self.scaler.scale(loss).backward()  # want TV315 "nothing unscales"

    def named(self, loss):
        scaled = self.scaler.scale(loss)
        scaled.backward()  # want TV315 "nothing unscales"

    def accumulate(self, losses):
        for loss in losses:
            self.scaler.scale(loss / 4).backward()  # want TV315 "too large"

    def conditional(self, loss, amp):
        if amp:
            self.scaler.scale(loss).backward()  # want TV315 "too large"
        else:
            loss.backward()

    def twice(self, a, b):
        self.scaler.scale(a).backward(retain_graph=True)  # want TV315 "too large"
        self.scaler.scale(b).backward()  # want TV315 "too large"

    def update(self):
        self.optimizer.step()
        self.scaler.update()


class Other:
    def plain(self, loss):
        loss.backward()  # ok: not scaled

    def lent(self, loss, finish):
        amp_scaler = GradScaler()
        amp_scaler.scale(loss).backward()  # ok: finish may unscale
        finish(amp_scaler)

    def off(self, loss):
        off_scaler = GradScaler(enabled=False)
        off_scaler.scale(loss).backward()  # ok: switched off

    def given(self, loss, grad_scaler):
        grad_scaler.scale(loss).backward()  # ok: who made it may unscale

    def step(self):
        self.optimizer.step()


class NoStep:
    def __init__(self):
        self.scaler = GradScaler()

    def backward(self, loss):
        self.scaler.scale(loss).backward()  # ok: no step in this class


class DynamicLossScaler:
    pass


class Wrapped:
    def __init__(self, optimizer):
        self.scaler = DynamicLossScaler()
        self.optimizer = optimizer

    def backward(self, loss):
        self.scaler.scale(loss).backward()  # ok: a scaler of its own, which its step knows

    def step(self):
        self.optimizer.step()


def function(loss):
    scaler = GradScaler()
    scaler.scale(loss).backward()  # ok: no class to look through


def together(loss, optimizer):
    scaler = GradScaler()
    scaler.scale(loss).backward()  # ok: of this TV318 speaks
    optimizer.step()


class Resize:
    def __init__(self):
        self.image_scaler = None

    def backward(self, image):
        self.image_scaler.scale(image).backward()  # ok: nothing says that it is a GradScaler

    def step(self):
        self.optimizer.step()
