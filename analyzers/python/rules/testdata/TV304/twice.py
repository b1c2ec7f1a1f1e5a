import math

import torch
from torch.cuda.amp import GradScaler


def skipped(model, loader, optimizer, scaler, limit):
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.unscale_(optimizer)  # want TV304 "without scaler.update"
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if norm > limit:
            optimizer.zero_grad()
            continue
        scaler.step(optimizer)
        scaler.update()


def twice(model, loader, optimizer, scaler):
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.unscale_(optimizer)
        norm = model.grad_norm()
        scaler.unscale_(optimizer)  # want TV304 "unscaled before"
        torch.nn.utils.clip_grad_norm_(model.parameters(), norm)
        scaler.step(optimizer)
        scaler.update()


def micro(model, loader, optimizer, scaler, n):
    for i, x in enumerate(loader):
        scaler.scale(model(x) / n).backward()
        scaler.unscale_(optimizer)  # want TV304 "a turn of the loop"
        if (i + 1) % n == 0:
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()


def finite(model, loader, optimizer):
    scaler = GradScaler()
    for x in loader:
        loss = model(x)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)  # want TV304 "without scaler.update"
        if math.isfinite(loss.item()):
            scaler.step(optimizer)
            scaler.update()


class Trainer:
    def train(self, loader):
        for i, x in enumerate(loader):
            self.scaler.scale(self.model(x)).backward()
            self.scaler.unscale_(self.optimizer)  # want TV304 "self.scaler.update"
            if i % 4 == 3:
                self.scaler.step(self.optimizer)
                self.scaler.update()


def branches(model, loader, optimizer, scaler, log):
    for x in loader:
        scaler.scale(model(x)).backward()
        if log:
            scaler.unscale_(optimizer)
            print(model.grad_norm())
        scaler.unscale_(optimizer)  # want TV304 "unscaled before"
        scaler.step(optimizer)
        scaler.update()


def healthy(model, loader, optimizer, scaler):
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.unscale_(optimizer)  # ok: updated in each turn
        scaler.step(optimizer)
        scaler.update()


def two_optimizers(model, loader, g_opt, d_opt, scaler):
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.unscale_(g_opt)
        scaler.unscale_(d_opt)  # ok: another optimizer
        scaler.step(g_opt)
        scaler.step(d_opt)
        scaler.update()


def several(model, loader, optimizers, scaler):
    for x in loader:
        scaler.scale(model(x)).backward()
        for optimizer in optimizers:
            scaler.unscale_(optimizer)  # ok: another one in each turn
        for optimizer in optimizers:
            scaler.step(optimizer)
        scaler.update()


def arms(model, loader, optimizer, scaler, norm):
    for x in loader:
        scaler.scale(model(x)).backward()
        if norm:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), norm)
        else:
            scaler.unscale_(optimizer)  # ok: the other arm
        scaler.step(optimizer)
        scaler.update()


def accumulating(model, loader, optimizer, scaler, n):
    for i, x in enumerate(loader):
        scaler.scale(model(x) / n).backward()
        if (i + 1) % n == 0:
            scaler.unscale_(optimizer)  # ok: updated under the same test
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if (i + 1) % n == 0:
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()


def still_updated(model, loader, optimizer, scaler, limit):
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.unscale_(optimizer)  # ok: a skipped turn updates too
        if model.grad_norm() > limit:
            scaler.update()
            optimizer.zero_grad()
            continue
        scaler.step(optimizer)
        scaler.update()


def once(loss, optimizer, scaler):
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)  # ok: no loop, the caller updates
    scaler.step(optimizer)


def helper(model, loader, optimizer, scaler, finish):
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.unscale_(optimizer)  # ok: finish may update
        finish(scaler, optimizer)


def raising(model, loader, optimizer, scaler):
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.unscale_(optimizer)  # ok: the run ends where it is not updated
        if not torch.isfinite(model.grad_norm()):
            raise RuntimeError("the gradients are not finite")
        scaler.step(optimizer)
        scaler.update()


def alternatives(model, loader, optimizer, scaler, amp, tpu, xm):
    for x in loader:
        if amp:
            scaler.unscale_(optimizer)  # ok: amp and tpu are alternatives
        if tpu:
            xm.optimizer_step(optimizer)
        elif amp:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()


class Own:
    def finish(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def train(self, loader):
        for x in loader:
            self.scaler.scale(self.model(x)).backward()
            self.scaler.unscale_(self.optimizer)  # ok: its own method updates
            self.finish()
