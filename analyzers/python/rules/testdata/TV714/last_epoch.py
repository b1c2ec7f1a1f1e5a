import torch


def main(model, loader, path, epochs):
    opt = torch.optim.Adam(model.parameters())
    ckpt = torch.load(path)
    model.load_state_dict(ckpt["model"])  # ok: the schedule begins at the epoch
    opt.load_state_dict(ckpt["opt"])
    start = ckpt["epoch"]
    scheduler = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9, last_epoch=start - 1)
    for epoch in range(start, epochs):
        model(next(loader)).backward()
        opt.step()
        scheduler.step()
