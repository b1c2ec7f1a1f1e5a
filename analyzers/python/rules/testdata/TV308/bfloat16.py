import torch
from torch.cuda.amp import GradScaler, autocast


def plain(model, loader, optimizer):
    scaler = GradScaler()
    for x in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):  # want TV308 "does not underflow"
            loss = model(x).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


def positional(model, loader, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for x in loader:
        with torch.autocast("cuda", torch.bfloat16):  # want TV308 "bfloat16"
            loss = model(x).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


def named(model, loader, optimizer):
    dtype = torch.bfloat16
    scaler = GradScaler(init_scale=1024)
    for x in loader:
        with autocast(dtype=dtype):  # want TV308 "bfloat16"
            loss = model(x).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


class Trainer:
    def __init__(self):
        self.scaler = GradScaler(enabled=True)

    def step(self, x):
        with torch.autocast(device_type="cuda", dtype=torch.bfloat16):  # want TV308 "bfloat16"
            loss = self.model(x)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()


def within(model, loader, optimizer):
    scaler = GradScaler()
    for x in loader:
        with torch.no_grad(), autocast(dtype=torch.bfloat16):  # want TV308 "bfloat16"
            seen = model.embed(x)
        scaler.scale(model(seen)).backward()
        scaler.step(optimizer)


def accumulated(model, loader, optimizer, n):
    scaler = GradScaler()
    for i, x in enumerate(loader):
        with torch.cuda.amp.autocast(dtype=torch.bfloat16):  # want TV308 "bfloat16"
            loss = model(x) / n
        scaler.scale(loss).backward()
        if i % n == 0:
            scaler.step(optimizer)
            scaler.update()


def tied(model, loader, optimizer, dtype):
    scaler = GradScaler(enabled=dtype is torch.float16)
    for x in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):  # ok: the scaler may be off
            loss = model(x)
        scaler.scale(loss).backward()


def half(model, loader, optimizer):
    scaler = GradScaler()
    for x in loader:
        with torch.autocast("cuda", dtype=torch.float16):  # ok: float16 needs it
            loss = model(x)
        scaler.scale(loss).backward()


def default(model, loader, optimizer):
    scaler = GradScaler()
    for x in loader:
        with autocast():  # ok: float16 on CUDA
            loss = model(x)
        scaler.scale(loss).backward()


def given(model, loader, optimizer, scaler):
    for x in loader:
        with autocast(dtype=torch.bfloat16):  # ok: the scaler comes from elsewhere and may be off
            loss = model(x)
        scaler.scale(loss).backward()


def either(model, loader, optimizer, wide):
    dtype = torch.float16
    if wide:
        dtype = torch.bfloat16
    scaler = GradScaler()
    for x in loader:
        with autocast(dtype=dtype):  # ok: it may be either
            loss = model(x)
        scaler.scale(loss).backward()


def arms(model, loader, optimizer, wide):
    scaler = GradScaler()
    for x in loader:
        if wide:
            with autocast(dtype=torch.bfloat16):  # ok: this arm does not scale
                loss = model(x)
            loss.backward()
            optimizer.step()
            continue
        with autocast():
            loss = model(x)
        scaler.scale(loss).backward()
        scaler.step(optimizer)


def options(model, loader, kwargs):
    scaler = GradScaler(**kwargs)
    for x in loader:
        with autocast(dtype=torch.bfloat16):  # ok: what the scaler is given is not seen
            loss = model(x)
        scaler.scale(loss).backward()


def off(model, loader):
    scaler = GradScaler(enabled=False)
    for x in loader:
        with autocast(dtype=torch.bfloat16):  # ok: switched off
            loss = model(x)
        scaler.scale(loss).backward()


def evaluate(model, loader):
    for x in loader:
        with autocast(dtype=torch.bfloat16):  # ok: nothing is trained
            print(model(x))


def other(model, x):
    with torch.autocast("cpu", dtype=torch.float32):  # ok: another type
        loss = model(x)
    GradScaler().scale(loss).backward()
