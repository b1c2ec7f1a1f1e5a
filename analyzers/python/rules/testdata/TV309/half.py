import torch
from torch.cuda.amp import autocast
from torch.optim import SGD


def default(model, loader, optimizer):
    for x in loader:
        with torch.autocast("cuda"):  # want TV309 "not scaled"
            loss = model(x).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def old(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        with autocast():  # want TV309 "float16"
            loss = model(x).mean()
        loss.backward()
        optimizer.step()


def asked(model, loader, opt):
    for x in loader:
        with torch.autocast(device_type="cuda", dtype=torch.float16):  # want TV309 "float16"
            loss = model(x).mean()
        loss.backward()
        opt.step()
        opt.zero_grad()


def around(model, loader, optimizer):
    with torch.cuda.amp.autocast():  # want TV309 "float16"
        for x in loader:
            loss = model(x).mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()


def named(model, loader, optimizer, device):
    dtype = torch.half
    for x in loader:
        with torch.autocast(device, dtype=dtype):  # want TV309 "float16"
            out = model(x)
            loss = out.mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


class Trainer:
    def run(self, loader, amp):
        self.optimizer = SGD(self.model.parameters(), lr=0.1)
        for x in loader:
            self.optimizer.zero_grad()
            with autocast(enabled=amp):  # want TV309 "float16"
                loss = self.model(x)
            total = loss + self.penalty()
            total.backward()
            self.optimizer.step()


def wide(model, loader, optimizer):
    for x in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):  # ok: bfloat16 needs none
            loss = model(x).mean()
        loss.backward()
        optimizer.step()


def off(model, loader, optimizer):
    for x in loader:
        with torch.autocast("cuda", enabled=False):  # ok: an island of float32
            loss = model(x).mean()
        loss.backward()
        optimizer.step()


def evaluate(model, loader):
    with torch.autocast("cuda"):  # ok: nothing is trained
        return [model(x) for x in loader]


def cpu(model, loader, optimizer):
    for x in loader:
        with torch.autocast("cpu"):  # ok: bfloat16 there
            loss = model(x).mean()
        loss.backward()
        optimizer.step()


def unknown(model, loader, optimizer, device, dtype):
    for x in loader:
        with torch.autocast(device, dtype=dtype):  # ok: the caller decides
            loss = model(x).mean()
        loss.backward()
        optimizer.step()


def any_device(model, loader, optimizer, device):
    for x in loader:
        with torch.autocast(device):  # ok: the default of the device is not known
            loss = model(x).mean()
        loss.backward()
        optimizer.step()


def teacher(model, other, loader, optimizer):
    for x in loader:
        with torch.autocast("cuda"):  # ok: no gradient comes from here
            target = other(x)
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
    print(target)


def gradients(model, x):
    with torch.autocast("cuda"):  # ok: nothing steps
        loss = model(x).mean()
    loss.backward()
    return model.weight.grad


def options(model, loader, optimizer, kwargs):
    for x in loader:
        with torch.autocast("cuda", **kwargs):  # ok: what it is given is not seen
            loss = model(x).mean()
        loss.backward()
        optimizer.step()


def either(model, loader, optimizer, safe):
    dtype = torch.float16
    if safe:
        dtype = torch.bfloat16
    for x in loader:
        with torch.autocast("cuda", dtype=dtype):  # ok: it may be either
            loss = model(x).mean()
        loss.backward()
        optimizer.step()


def validated(model, loader, held_out, optimizer):
    for x in loader:
        with torch.autocast("cuda", dtype=torch.float16):  # want `float16`
            loss = model(x).mean()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            for y in held_out:
                with torch.autocast("cuda", dtype=torch.float16):  # ok: no gradients come of it
                    loss = model(y).mean()
                print(loss.item())
