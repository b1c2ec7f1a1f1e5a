import torch


@torch.no_grad()
def train(model, loader, opt):
    for x in loader:
        model(x).sum().backward()  # want TV511 "gradients are switched off around this backward"
        opt.step()


@torch.inference_mode()
def train_too(model, x):
    loss = model(x).sum()
    loss.backward()  # want TV511 "it fails"


def within(model, x):
    with torch.no_grad():
        loss = model(x).sum()
        loss.backward()  # want TV511 "switched off around"


@torch.no_grad()
def closure(model, x):
    with torch.enable_grad():
        model(x).sum().backward()  # ok: switched on again


@torch.inference_mode(False)
def on(model, x):
    model(x).sum().backward()  # ok: switched on


def outside(model, x):
    with torch.no_grad():
        print(model(x))
    model(x).sum().backward()  # ok: outside


class Kernel(torch.autograd.Function):
    @staticmethod
    def backward(ctx, grad):
        with torch.no_grad():
            ctx.inner.backward(grad)  # ok: gradients by hand
