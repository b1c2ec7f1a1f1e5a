import torch
from torch.cuda.amp import GradScaler, autocast


class Trainer:
    def __init__(self, net, opt):
        self.net, self.opt, self.scaler = net, opt, GradScaler()

    def clip(self):
        torch.nn.utils.clip_grad_value_(self.net.parameters(), 1.0)  # want TV303 "clipped while they are still scaled"

    def step(self, x, y):
        with autocast():
            loss = (self.net(x) - y).abs().mean()
        self.opt.zero_grad()
        self.scaler.scale(loss).backward()
        self.clip()
        self.scaler.step(self.opt)
        self.scaler.update()



class Right:
    def __init__(self, net, opt):
        self.net, self.opt, self.loss_scaler = net, opt, GradScaler()

    def limit(self):
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)  # ok: it is called behind unscale_

    def step(self, x, y):
        with autocast():
            loss = (self.net(x) - y).abs().mean()
        self.opt.zero_grad()
        self.loss_scaler.scale(loss).backward()
        self.loss_scaler.unscale_(self.opt)
        self.limit()
        self.loss_scaler.step(self.opt)
        self.loss_scaler.update()
