import argparse

from torch.cuda.amp import GradScaler

max_steps = 200


def train(model, loader, optimizer):
    scaler = GradScaler()  # want TV307 "200 steps"
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()


def lower():
    return GradScaler(init_scale=1024.0)  # ok: starts low


def off():
    return GradScaler(enabled=False)  # ok: switched off


def given(options):
    return GradScaler(**options)  # ok: what it is given is not seen


def first():
    return GradScaler(1024.0)  # ok: the first argument is the scale
