import torch
from accelerate import Accelerator


def train(model, loader, optimizer):
    accelerator = Accelerator(mixed_precision="fp16")
    for x in loader:
        with torch.autocast("cuda"):  # ok: accelerate scales
            loss = model(x).mean()
        accelerator.backward(loss)
        optimizer.step()
