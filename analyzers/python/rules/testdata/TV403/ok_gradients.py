import torch

optim = None


def saliency(model, loader):
    for x in loader:
        model(x).backward()  # ok: the gradients are what is asked for
        yield x.grad
