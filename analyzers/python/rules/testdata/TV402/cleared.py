import torch


def between(model, loader, optimizer):
    for x in loader:
        model(x).backward()
        optimizer.zero_grad()  # want TV402 "between the backward and the step"
        optimizer.step()


def named(model, x, opt):
    loss = model(x)
    loss.backward()
    opt.zero_grad()  # want TV402 "nothing to follow"
    opt.step()


def scaled(model, loader, optimizer, scaler):
    for x in loader:
        scaler.scale(model(x)).backward()
        optimizer.zero_grad(set_to_none=True)  # want TV402 "between"
        scaler.step(optimizer)
        scaler.update()


class Trainer:
    def step(self, loss):
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.zero_grad()  # want TV402 "self.optimizer"
        self.optimizer.step()


def micro(model, loader, optimizer, n):
    for i, x in enumerate(loader):
        optimizer.zero_grad()  # want TV402 "every few turns"
        (model(x) / n).backward()
        if (i + 1) % n == 0:
            optimizer.step()


def micro_named(model, loader, optimizer, accumulate):
    for i, x in enumerate(loader):
        ready = i % accumulate == 0
        optimizer.zero_grad()  # want TV402 "thrown away"
        model(x).backward()
        if ready:
            optimizer.step()


def micro_scaled(model, loader, optimizer, scaler, n):
    for i, x in enumerate(loader):
        optimizer.zero_grad(set_to_none=True)  # want TV402 "all but the last batch"
        scaler.scale(model(x)).backward()
        if i % n == n - 1:
            scaler.step(optimizer)
            scaler.update()


def healthy(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()  # ok: before the backward
        model(x).backward()
        optimizer.step()


def behind(model, loader, optimizer):
    for x in loader:
        model(x).backward()
        optimizer.step()
        optimizer.zero_grad()  # ok: behind the step


def accumulating(model, loader, optimizer, n):
    for i, x in enumerate(loader):
        (model(x) / n).backward()
        if (i + 1) % n == 0:
            optimizer.step()
            optimizer.zero_grad()  # ok: with the step


def other(model, x, g_opt, d_opt):
    model(x).backward()
    d_opt.zero_grad()  # ok: another optimizer
    g_opt.step()


def twice(model, loader, optimizer):
    for x in loader:
        model.first(x).backward()
        print(model.grad_norm())
        optimizer.zero_grad()  # ok: the first gradients are only looked at
        model.second(x).backward()
        optimizer.step()


def bad_batches(model, loader, optimizer, finite):
    for x in loader:
        model(x).backward()
        if not finite(model):
            optimizer.zero_grad()  # ok: a batch that is left out
            continue
        optimizer.step()
        optimizer.zero_grad()


def maybe(model, loader, optimizer, n):
    for i, x in enumerate(loader):
        optimizer.zero_grad()  # ok: whether there is a backward is asked below
        outputs = model(x)
        if outputs is not None:
            outputs.backward()
        optimizer.step()


def closure(model, loader, optimizer):
    for x in loader:

        def again():
            optimizer.zero_grad()  # ok: in a closure
            loss = model(x)
            loss.backward()
            return loss

        optimizer.step(again)


def warm(model, x, optimizer):
    model(x).backward()
    optimizer.step()
    optimizer.zero_grad()  # ok: a first pass, then another one
    model(x).backward()
    optimizer.step()


def start_of_window(model, loader, optimizer, n):
    for i, x in enumerate(loader):
        if i % n == 0:
            optimizer.zero_grad()  # ok: once a window
        model(x).backward()
        if i % n == n - 1:
            optimizer.step()


def log_only(model, loader, optimizer, log):
    for i, x in enumerate(loader):
        optimizer.zero_grad()  # ok: each turn steps
        model(x).backward()
        optimizer.step()
        if i % 10 == 0:
            log(i)


def own(self, x):
    self.optimizer.zero_grad()  # ok: no backward before
    self.losses(x).backward()
    self.optimizer.step()
