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


def loop_carried(model, loader, meter, losses):
    end = time.time()
    for x in loader:
        loss = model(x)
        loss.backward()
        meter.update(time.time() - end)  # ok: the wait below is in the next of these times
        end = time.time()
        losses.append(loss.item())


def carried_unread(model, loader, meter):
    end = time.time()
    for x in loader:
        model(x).backward()
        meter.update(time.time() - end)  # want "nothing waits"
        end = time.time()


def check(model, x):
    return model(x).sum().item()


def by_function(model, x):
    start = time.time()
    model(x).backward()
    check(model, x)
    return time.time() - start  # ok: check reads a number from the device


class Step:
    def run(self, loss):
        begin = time.perf_counter()
        loss.backward()
        return time.perf_counter() - begin  # want "nothing waits"


def two(model, other, x):
    start = time.time()
    model(x).backward()
    print("first", time.time() - start)  # want "nothing waits"

    start = time.time()
    other(x).backward()
    print("second", time.time() - start)  # want "nothing waits"


def events(model, x, start, end):
    begin = time.time()
    start.record()
    model(x).backward()
    end.record()
    end.synchronize()
    return time.time() - begin  # ok: waited for by an event


def logged(model, x, log_metrics):
    start = time.time()
    loss = model(x)
    loss.backward()
    log_metrics(loss)
    return time.time() - start  # ok: what logs reads the loss


def moved(model, x):
    start = time.time()
    loss = model(x)
    loss.backward()
    loss.detach().cpu()
    return time.time() - start  # ok: a copy to the host waits


def generated(model, x):
    start = time.time()
    model.generate(x)
    return time.time() - start  # ok: generation looks at its tokens


def other_clock(model, x, start):
    model(x).backward()
    return time.time() - start  # ok: where it was read is not seen


def since_the_start(model, loader, opt):
    start = time.time()
    for i, x in enumerate(loader):
        loss = model(x)
        loss.backward()
        opt.step()
        if i % 10 == 0:
            spent = time.time() - start  # ok: each interval waits below
            print(spent, loss.item())
