import torch
from torch.nn.parallel import DistributedDataParallel


def epoch(loader, optimizer, context):
    for x in loader:
        model_unwrapped = model.module if isinstance(model, DistributedDataParallel) else model
        with context:
            res = model_unwrapped(x)  # want TV409 "model_unwrapped is called and not model"
        loss = res.mean()
        loss.backward()
        optimizer.step()


def sampled(loader, optimizer):
    for x in loader:
        inner = model.module
        seen = inner.generate(x)  # ok: no forward that is trained on
        loss = model(seen).mean()
        loss.backward()
        optimizer.step()


def shown(loader):
    inner = model.module
    with torch.no_grad():
        return [inner(x) for x in loader]  # ok: no backward


def own(model, loader):
    net = model.module
    for x in loader:
        net(x).backward()  # ok: another model, handed over, that may not be wrapped


if __name__ == "__main__":
    model = torch.nn.Linear(8, 8)
    model = DistributedDataParallel(model)
    epoch([], None, None)
