import torch
from schedulers import PolyWarmUp


def main(model, loader, path, epochs):
    optimizer = torch.optim.AdamW(model.parameters())
    lr_scheduler = PolyWarmUp(optimizer, 100)
    ckpt = torch.load(path)
    model.load_state_dict(ckpt["model"])  # ok: a scheduler of their own may go by the step of the optimizer
    optimizer.load_state_dict(ckpt["optimizer"])
    start_epoch = ckpt["epoch"]
    for epoch in range(start_epoch, epochs):
        model(next(loader)).backward()
        optimizer.step()
        lr_scheduler.step()
