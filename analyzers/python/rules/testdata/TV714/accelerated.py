import torch
from accelerate import Accelerator


def main(model, optimizer, loader, path, epochs):
    accelerator = Accelerator()
    ckpt = torch.load(path)
    model.load_state_dict(ckpt["model"])  # ok: accelerator.load_state has the rest
    start_epoch = ckpt["epoch"]
    accelerator.load_state(path)
    for epoch in range(start_epoch, epochs):
        accelerator.backward(model(next(loader)))
        optimizer.step()
