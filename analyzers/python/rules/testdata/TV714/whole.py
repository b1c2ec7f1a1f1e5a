import torch


def main(model, loader, path, epochs):
    optimizer = torch.optim.AdamW(model.parameters())
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 3)
    ckpt = torch.load(path)
    model.load_state_dict(ckpt["model"])  # ok: all of it is loaded
    optimizer.load_state_dict(ckpt["optimizer"])
    scheduler.load_state_dict(ckpt["scheduler"])
    start_epoch = ckpt["epoch"]
    for epoch in range(start_epoch, epochs):
        model(next(loader)).backward()
        optimizer.step()
        scheduler.step()
