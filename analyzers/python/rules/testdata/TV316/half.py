import torch
from torch.cuda.amp import GradScaler


def plain(Net, loader):
    model = Net()
    model.half()  # want TV316 "float16"
    optimizer = torch.optim.Adam(model.parameters())
    scaler = GradScaler()
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()


def chained(Net, loader):
    model = Net()
    model = model.half()  # want TV316 "rounded away"
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = GradScaler()
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()


def moved(model, loader):
    model.to(torch.float16)  # want TV316 "float16"
    optimizer = torch.optim.Adam(model.parameters())
    grad_scaler = GradScaler()
    for x in loader:
        grad_scaler.scale(model(x)).backward()
        grad_scaler.step(optimizer)


def placed(model, loader, device):
    model.to(device, torch.half)  # want TV316 "float16"
    optimizer = torch.optim.Adam(model.parameters())
    scaler = GradScaler()
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)


def keyword(model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    model.to(dtype=torch.float16)  # want TV316 "float16"
    scaler = GradScaler()
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.model.half()  # want TV316 "float16"
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.scaler = GradScaler()

    def step(self, loss):
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)


def full(Net, loader):
    model = Net().cuda()
    optimizer = torch.optim.Adam(model.parameters())  # ok: float32 weights
    scaler = GradScaler()
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)


def other(base, adapter, loader):
    base.half()  # ok: the optimizer holds the adapter alone
    optimizer = torch.optim.Adam(adapter.parameters())
    scaler = GradScaler()
    for x in loader:
        scaler.scale(adapter(base(x))).backward()
        scaler.step(optimizer)


def frozen(backbone, head, loader):
    backbone.requires_grad_(False)
    backbone.half()  # ok: frozen
    optimizer = torch.optim.Adam(backbone.parameters())
    scaler = GradScaler()
    scaler.step(optimizer)


def evaluated(net, loader):
    net.half()  # ok: nothing is trained
    return [net(x) for x in loader]


def back(nett, loader):
    nett.half()
    nett.float()  # ok: taken back
    optimizer = torch.optim.Adam(nett.parameters())
    scaler = GradScaler()
    scaler.step(optimizer)


def branch(mod, loader, half):
    if half:
        mod.half()  # ok: on a branch, as the scaler may be
    optimizer = torch.optim.Adam(mod.parameters())
    scaler = GradScaler(enabled=not half)
    scaler.step(optimizer)


def wide(mode, loader):
    mode.to(torch.bfloat16)  # ok: of bfloat16 TV308 speaks
    optimizer = torch.optim.Adam(mode.parameters())
    scaler = GradScaler()
    scaler.step(optimizer)


def groups(mdl, loader):
    mdl.half()  # ok: which parameters are chosen is not seen
    optimizer = torch.optim.Adam([p for p in mdl.parameters() if p.dtype == torch.float32])
    scaler = GradScaler()
    scaler.step(optimizer)


def off(modl, loader):
    modl.half()  # ok: the scaler is off
    optimizer = torch.optim.Adam(modl.parameters())
    scaler = GradScaler(enabled=False)
    scaler.step(optimizer)


def plain_step(modu, loader):
    modu.half()  # ok: no scaler: another rule's matter
    optimizer = torch.optim.Adam(modu.parameters())
    for x in loader:
        modu(x).backward()
        optimizer.step()


def inputs(net2, x):
    x.half()  # ok: no model
    optimizer = torch.optim.Adam(net2.parameters())
    scaler = GradScaler()
    scaler.step(optimizer)
