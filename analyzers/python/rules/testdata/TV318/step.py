import torch
from torch import optim
from torch.cuda.amp import GradScaler


def direct(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = GradScaler()
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(criterion(model(x), y)).backward()
        optimizer.step()  # want TV318 "still scaled"


def named(model, loader, opt, scaler):
    for x in loader:
        loss = scaler.scale(model(x).mean())
        loss.backward()
        opt.step()  # want TV318 "opt.step"
        scaler.update()


def accumulated(model, loader, optimizer, scaler, n):
    for i, x in enumerate(loader):
        scaler.scale(model(x).mean() / n).backward()
        if (i + 1) % n == 0:
            optimizer.step()  # want TV318 "still scaled"
            optimizer.zero_grad()


def other(model, loader, scaler):
    g = optim.Adam(model.g.parameters())
    d = optim.Adam(model.d.parameters())
    for x in loader:
        scaler.scale(model.g_loss(x)).backward()
        scaler.step(g)
        scaler.scale(model.d_loss(x)).backward()
        d.step()  # want TV318 "d.step"
        scaler.update()


def one_arm(model, loader, optimizer, scaler, amp):
    for x in loader:
        loss = model(x).mean()
        if amp:
            scaler.scale(loss).backward()
        else:
            loss.backward()
        optimizer.step()  # want TV318 "still scaled"


class Trainer:
    def __init__(self, model):
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.amp.GradScaler("cuda")

    def step(self, loss):
        self.optimizer.zero_grad()
        self.scaler.scale(loss).backward()
        self.optimizer.step()  # want TV318 "self.optimizer.step"


def healthy(model, loader, optimizer, scaler):
    for x in loader:
        optimizer.zero_grad()
        scaler.scale(model(x).mean()).backward()
        scaler.step(optimizer)  # ok: the scaler steps
        scaler.update()


def arms(model, loader, optimizer, scaler, amp):
    for x in loader:
        loss = model(x).mean()
        if amp:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()  # ok: the arm without a scaler


def two_tests(model, loader, optimizer, scaler):
    for x in loader:
        loss = model(x).mean()
        if scaler is not None:
            scaler.scale(loss).backward()
        else:
            loss.backward()
        if scaler is None:
            optimizer.step()  # ok: the test is the one above, turned round
        else:
            scaler.step(optimizer)
            scaler.update()


def flag(model, loader, optimizer, scaler):
    amp = scaler is not None
    for x in loader:
        loss = model(x).mean()
        if amp:
            scaler.scale(loss).backward()
        else:
            loss.backward()
        if not amp:
            optimizer.step()  # ok: amp says whether there is a scaler
            continue
        scaler.step(optimizer)
        scaler.update()


def early(loss, optimizer, scaler):
    if scaler is None:
        loss.backward()
        optimizer.step()  # ok: there is no scaler here
        return
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()


def by_hand(loss, optimizer, scaler):
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    optimizer.step()  # ok: unscaled before; that skips are lost is another matter


def second_loss(model, x, scaler, optimizer, d_opt):
    scaler.scale(model.g(x)).backward()
    scaler.step(optimizer)
    scaler.update()
    d_opt.zero_grad()
    model.d(x).backward()
    d_opt.step()  # ok: its loss is not scaled


def off(model, x, optimizer):
    scaler = GradScaler(enabled=False)
    scaler.scale(model(x).mean()).backward()
    optimizer.step()  # ok: a scaler that is off multiplies by nothing


def schedule(model, x, optimizer, scaler, lr_scheduler):
    scaler.scale(model(x).mean()).backward()
    scaler.step(optimizer)
    scaler.update()
    lr_scheduler.step()  # ok: no optimizer


class DynamicLossScaler:
    pass


def custom(model, x, optimizer):
    loss_scaler = DynamicLossScaler()
    loss_scaler.scale(model(x).mean()).backward()
    optimizer.step()  # ok: not torch's scaler; its optimizer unscales


def cleared(model, x, optimizer, scaler):
    scaler.scale(model(x).mean()).backward()
    optimizer.zero_grad()
    optimizer.step()  # ok: a warm-up of its state, there are no gradients
