import torch


def feed(loader, device):
    for x in loader:
        yield x.to(device, non_blocking=True)  # ok: nothing here speaks of another device than CUDA
