import torch
from torch.cuda.amp import GradScaler


def train(model, loader, opt, path):
    scaler = GradScaler(init_scale=1024.0)
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(opt)
        scaler.update()
    state = dict(model=model.state_dict(), opt=opt.state_dict())  # want TV311 "scaler is not"
    torch.save(state, path)
