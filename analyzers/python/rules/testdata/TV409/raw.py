import torch
from torch.nn.parallel import DistributedDataParallel
from torch.nn.parallel import DistributedDataParallel as DDP


def plain(model, loader, optimizer, rank):
    ddp = DDP(model, device_ids=[rank])
    for x in loader:
        optimizer.zero_grad()
        loss = model(x).mean()  # want TV409 "model is called and not ddp"
        loss.backward()
        optimizer.step()
    return ddp


def inner(model, loader, optimizer):
    model = DistributedDataParallel(model)
    for x in loader:
        out = model.module(x)  # want TV409 "not averaged"
        loss = out.mean()
        loss.backward()
        optimizer.step()


def direct(net, loader, optimizer, criterion):
    parallel = torch.nn.parallel.DistributedDataParallel(net)
    for x, y in loader:
        criterion(net(x), y).backward()  # want TV409 "parallel"
        optimizer.step()
    return parallel


class Trainer:
    def __init__(self, model, rank):
        self.model = model
        self.ddp_model = DDP(self.model, device_ids=[rank])

    def epoch(self, loader):
        for x in loader:
            loss = self.model(x)  # want TV409 "self.ddp_model"
            loss.backward()
            self.optimizer.step()


def unpacked(model, loader, optimizer):
    wrapped = DDP(model)
    for x in loader:
        logits, aux = model(x)  # want TV409 "wrapped"
        loss = logits.mean() + aux
        loss.backward()
        optimizer.step()
    torch.save(wrapped.state_dict(), "x")


def scaled(model, loader, optimizer, scaler):
    ddp = DDP(model)
    for x in loader:
        with torch.autocast("cuda"):
            loss = model(x)  # want TV409 "ddp"
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    return ddp


def healthy(model, loader, optimizer):
    ddp = DDP(model)
    for x in loader:
        loss = ddp(x)  # ok: the wrapper
        loss.backward()
        optimizer.step()
    return model(x)  # ok: nothing is trained by it


def same_name(model, loader, optimizer):
    model = DDP(model)
    for x in loader:
        model(x).backward()  # ok: the name is the wrapper's
        optimizer.step()


def no_sync(model, loader, optimizer, n):
    ddp = DDP(model)
    for i, x in enumerate(loader):
        with ddp.no_sync():
            ddp(x).backward()  # ok: averaged with the last one
        if i % n == 0:
            optimizer.step()


def evaluate(model, loader):
    ddp = DDP(model)
    with torch.no_grad():
        return [model(x) for x in loader], ddp  # ok: no backward


def before(model, loader, optimizer):
    for x in loader:
        model(x).backward()  # ok: not wrapped yet
        optimizer.step()
    return DDP(model)


def both(model, loader, optimizer):
    ddp = DDP(model)
    for x in loader:
        target = model(x).detach()  # ok: the wrapper is trained
        loss = (ddp(x) - target).mean()
        loss.backward()
        optimizer.step()


def method(model, loader, optimizer):
    ddp = DDP(model)
    for x in loader:
        weights = model.regularizer()  # ok: a method, no forward
        loss = ddp(x) + weights
        loss.backward()
        optimizer.step()


def other(model, teacher, loader, optimizer):
    wrapped = DDP(teacher)
    for x in loader:
        model(x).backward()  # ok: not the one that is wrapped
        optimizer.step()
    return wrapped


def checked(model, loader, optimizer):
    ddp = DDP(model)
    for x in loader:
        print(model(x))  # ok: only printed
        loss = ddp(x)
        loss.backward()
        optimizer.step()


def probe(model, loader, loss_of):
    ddp = DDP(model)
    for x in loader:
        shown = model(x)  # ok: the loss is not made of it
        loss = loss_of(x)
        loss.backward()
    return ddp, shown
