"""Gradients are clipped before a scaler that the trainer wrote itself unscales them in
its step. The twins: unscaled by the scaler before, by hand before, or a bound that is
raised by the scale."""

import sys

import torch
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)


class Scaler:
    def __init__(self, scale, divides=True):
        self.cur_scale, self.divides = scale, divides
        self.unscaled = False

    def scale(self, loss):
        return loss * self.cur_scale

    def unscale_(self, optimizer):
        for group in optimizer.param_groups:
            for p in group["params"]:
                p.grad.div_(self.cur_scale)
        self.unscaled = True

    def step(self, optimizer):
        if self.divides and not self.unscaled:
            self.unscale_(optimizer)
        self.unscaled = False
        if all(bool(p.grad.isfinite().all()) for g in optimizer.param_groups for p in g["params"]):
            optimizer.step()

    def update(self):
        pass


def main():
    x = torch.randn(512, 16)
    y = (x @ torch.randn(16, 4)).argmax(1)
    model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9 if seed else 0.0)
    scaler = Scaler(1024.0, divides=fault or seed % 3 != 1)
    for epoch in range(4):
        for i in range(0, 512, 32):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
            scaler.scale(loss).backward()
            bound = 0.5
            if not fault and seed % 3 == 0:
                scaler.unscale_(optimizer)
            elif not fault and seed % 3 == 1:
                for p in model.parameters():
                    p.grad /= scaler.cur_scale
            elif not fault:
                bound = 0.5 * scaler.cur_scale
            torch.nn.utils.clip_grad_norm_(model.parameters(), bound)
            scaler.step(optimizer)
            scaler.update()
        with torch.no_grad():
            accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
        print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)


main()
