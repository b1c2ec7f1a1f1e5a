import torch
from torch.optim import SGD


def plain(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        criterion(model(x), y).backward()
        optimizer.step()  # want TV401 "cleared nowhere"


def epochs(model, loader, optimizer, n):
    for _ in range(n):
        for x in loader:
            loss = model(x).mean()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()  # want TV401 "the sum over all batches"


def once_before(model, loader, optimizer):
    optimizer.zero_grad()
    for x in loader:
        model(x).mean().backward()
        optimizer.step()  # want TV401 "optimizer"


def once_an_epoch(model, loader, optimizer, n):
    for _ in range(n):
        optimizer.zero_grad()
        for x in loader:
            model(x).mean().backward()
            optimizer.step()  # want TV401 "optimizer"


def scaled(model, loader, optimizer, scaler):
    for x in loader:
        scaler.scale(model(x).mean()).backward()
        scaler.step(optimizer)  # want TV401 "optimizer"
        scaler.update()


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optim = torch.optim.Adam(model.parameters())

    def fit(self, loader, scheduler):
        for step, x in enumerate(loader):
            loss = self.model(x)
            loss.backward()
            self.optim.step()  # want TV401 "self.optim"
            scheduler.step()


def while_loop(model, stream, opt):
    step = 0
    while step < 1000:
        model(next(stream)).backward()
        opt.step()  # want TV401 "opt"
        step += 1


def one_mode(model, loader, optimizer, mode):
    for x in loader:
        loss = model(x).mean()
        if mode == "train":
            loss.backward()
            optimizer.step()  # want TV401 "optimizer"


def healthy(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        model(x).backward()
        optimizer.step()  # ok: cleared before


def behind(model, loader, optimizer):
    for x in loader:
        model(x).backward()
        optimizer.step()  # ok: cleared behind
        model.zero_grad(set_to_none=True)


def accumulating(model, loader, optimizer, n):
    for i, x in enumerate(loader):
        (model(x) / n).backward()
        if (i + 1) % n == 0:
            optimizer.step()  # ok: cleared with each step
            optimizer.zero_grad()


def by_hand(model, loader, optimizer):
    for x in loader:
        model(x).backward()
        optimizer.step()  # ok: cleared by hand
        for p in model.parameters():
            p.grad = None


def in_place(model, loader, optimizer):
    for x in loader:
        model(x).backward()
        optimizer.step()  # ok: cleared in place
        for p in model.parameters():
            p.grad.zero_()


def fresh(model, images):
    for image in images:
        optimizer = SGD([image], lr=0.1)
        model(image).backward()
        optimizer.step()  # ok: an optimizer of its own in each turn


def inputs(model, optimizers):
    for optimizer in optimizers:
        model().backward()
        optimizer.step()  # ok: another optimizer in each turn


def context(model, loader, dist_autograd, dist_optimizer):
    for x in loader:
        with dist_autograd.context() as context_id:
            dist_autograd.backward(context_id, [model(x)])
            dist_optimizer.step(context_id)  # ok: gradients of distributed autograd live in the context


def closures(model, loader, optimizer):
    for x in loader:

        def closure():
            optimizer.zero_grad()
            loss = model(x)
            loss.backward()
            return loss

        optimizer.step(closure)  # ok: the closure clears


def clear(model):
    for p in model.parameters():
        p.grad = None


def helper(model, loader, optimizer):
    for x in loader:
        clear(model)
        model(x).backward()
        optimizer.step()  # ok: a function of this file clears


def other_helper(model, loader, optimizer, prepare):
    for x in loader:
        prepare(optimizer)
        model(x).backward()
        optimizer.step()  # ok: prepare may clear


def named(model, loader, optimizer):
    for x in loader:
        model(x).backward()
        optimizer.step()  # ok: a name of its own
        optimizer.clear_gradients()


class Wrapped:
    def __init__(self, optimizer):
        self.optimizer = optimizer

    def step(self):
        self.optimizer.step()
        self.optimizer.zero_grad()


def wrapped(model, loader, optimizer):
    noam_opt = Wrapped(optimizer)
    for x in loader:
        model(x).backward()
        noam_opt.step()  # ok: the class of this file clears in its step


def engine(model_engine, loader):
    for x in loader:
        loss = model_engine(x)
        model_engine.backward(loss)
        model_engine.step()  # ok: an engine clears by itself


def single(model, x, optimizer):
    model(x).backward()
    optimizer.step()  # ok: no loop in sight
