import torch
from torch import nn
from torch.cuda.amp import GradScaler
from torch.nn.utils import clip_grad_norm_ as clip
from torch.nn.utils import clip_grad_norm_, clip_grad_value_


def plain(model, loader, optimizer):
    scaler = GradScaler()
    for x in loader:
        optimizer.zero_grad()
        scaler.scale(model(x).mean()).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # want TV303 "still scaled"
        scaler.step(optimizer)
        scaler.update()


def values(model, loader, optimizer, scaler):
    for x in loader:
        scaler.scale(model(x).mean()).backward()
        clip_grad_value_(model.parameters(), 0.5)  # want TV303 "still scaled"
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()


def late(model, loader, optimizer, scaler):
    for x in loader:
        scaler.scale(model(x).mean()).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # want TV303 "divided by the scale"
        scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()


def one_arm(model, loader, optimizer, scaler, amp):
    for x in loader:
        loss = model(x).mean()
        if amp:
            scaler.scale(loss).backward()
        else:
            loss.backward()
        clip_grad_norm_(model.parameters(), 1.0)  # want TV303 "still scaled"
        if amp:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()


def sharded(model, loader, optimizer, scaler):
    for x in loader:
        scaler.scale(model(x)).backward()
        model.clip_grad_norm_(1.0)  # want TV303 "still scaled"
        scaler.step(optimizer)
        scaler.update()


class Trainer:
    def __init__(self, model, config):
        self.scaler = GradScaler()
        self.model, self.config = model, config

    def run_batch(self, x, train=True):
        if train:
            if self.config.use_amp:
                self.scaler.scale(self.model(x)).backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # want TV303 "still scaled"
                self.scaler.step(self.optimizer)
                self.scaler.update()
            else:
                self.model(x).backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # ok: the arm without a scaler
                self.optimizer.step()


def conditional(model, loader, optimizer, scaler, n):
    for i, x in enumerate(loader):
        scaler.scale(model(x) / n).backward()
        if (i + 1) % n == 0:
            clip_grad_norm_(model.parameters(), 1.0)  # want TV303 "still scaled"
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()


def healthy(model, loader, optimizer, scaler):
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)  # ok: unscaled before
        scaler.step(optimizer)
        scaler.update()


def both_if(model, loader, optimizer, scaler, limit):
    for x in loader:
        loss = model(x)
        if scaler is not None:
            scaler.scale(loss).backward()
        else:
            loss.backward()
        if limit is not None:
            if scaler is not None:
                scaler.unscale_(optimizer)
            clip_grad_norm_(model.parameters(), limit)  # ok: unscaled where there is a scaler
        if scaler is not None:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()


def same_test(model, loader, optimizer, scaler, limit):
    for x in loader:
        scaler.scale(model(x)).backward()
        if limit > 0:
            scaler.unscale_(optimizer)
        if limit > 0:
            clip_grad_norm_(model.parameters(), limit)  # ok: the same test lets it be unscaled
        scaler.step(optimizer)
        scaler.update()


def helper(model, loader, optimizer, scaler, prepare):
    for x in loader:
        scaler.scale(model(x)).backward()
        prepare(scaler, optimizer)
        clip_grad_norm_(model.parameters(), 1.0)  # ok: prepare may unscale
        scaler.step(optimizer)
        scaler.update()


def accumulating(model, loader, optimizer, scaler, n):
    for i, x in enumerate(loader):
        scaler.scale(model(x) / n).backward()
        sync = (i + 1) % n == 0
        if sync:
            scaler.unscale_(optimizer)
            clip(model.parameters(), 1.0)  # ok: unscaled before, under another name
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()


def off(model, loader, optimizer):
    scaler = GradScaler(enabled=False)
    for x in loader:
        scaler.scale(model(x)).backward()
        clip_grad_norm_(model.parameters(), 1.0)  # ok: the scaler is off
        optimizer.step()


def second(model, loader, optimizer, scaler, d_opt):
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()
        d_opt.zero_grad()
        model.d(x).backward()
        clip_grad_norm_(model.d.parameters(), 1.0)  # ok: of a loss that is not scaled
        d_opt.step()


class Native:
    def __init__(self):
        self._scaler = GradScaler()

    def __call__(self, loss, optimizer, clip_grad=None, parameters=None):
        self._scaler.scale(loss).backward()
        if clip_grad is not None:
            self._scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(parameters, clip_grad)  # ok: unscaled in the same arm
        self._scaler.step(optimizer)
        self._scaler.update()


class Own:
    def unscale(self):
        self.scaler.unscale_(self.optimizer)

    def step(self, loss):
        self.scaler.scale(loss).backward()
        self.unscale()
        clip_grad_norm_(self.model.parameters(), 1.0)  # ok: its own method unscales
        self.scaler.step(self.optimizer)
        self.scaler.update()


def clip_grad_norm(parameters, limit):
    return [p.clamp(-limit, limit) for p in parameters]


def own_function(model, x, optimizer, scaler):
    scaler.scale(model(x)).backward()
    clip_grad_norm(model.parameters(), 1.0)  # ok: a function of this file
    scaler.step(optimizer)
    scaler.update()


def not_scaled(model, x, optimizer):
    model(x).backward()
    clip_grad_norm_(model.parameters(), 1.0)  # ok: no scaler at all
    optimizer.step()


def two_scalers(model, loader, g_opt, d_opt, g_scaler, d_scaler):
    for x in loader:
        g_scaler.scale(model.g(x)).backward()
        d_scaler.scale(model.d(x)).backward()
        d_scaler.unscale_(d_opt)
        clip_grad_norm_(model.d.parameters(), 1.0)  # ok: of the gradients that its own scaler unscaled
        g_scaler.step(g_opt)
        d_scaler.step(d_opt)
        g_scaler.update()
        d_scaler.update()
