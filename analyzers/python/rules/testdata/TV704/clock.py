import time
from time import perf_counter

import torch

device = torch.device("cuda")


def step(model, x, opt):
    start = time.time()
    loss = model(x)
    loss.backward()
    opt.step()
    return time.time() - start  # want "this time ends before the device is done: nothing waits for loss.backward"


def named(model, x):
    t0 = perf_counter()
    model(x).backward()
    t1 = perf_counter()
    return t1 - t0  # want "nothing waits"


def waits(model, x):
    start = time.time()
    model(x).backward()
    torch.cuda.synchronize()
    return time.time() - start  # ok: waited for


def reads(model, x, meter):
    end = time.time()
    loss = model(x)
    loss.backward()
    meter.update(loss.item())
    return time.time() - end  # ok: a number is read from the device


def setup(make):
    start = time.time()
    model = make().to(device)
    return model, time.time() - start  # ok: nothing is computed


def data(loader):
    end = time.time()
    x = next(loader)
    return x, time.time() - end  # ok: the time of the loader
