"""Gradients are clipped, by a function or value by value by hand, and only then
unscaled by a call. The twins: unscaled before, and a loss whose slope is bounded, many
of whose gradients are the same number."""

import sys

import torch
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)


def clip(model):
    if seed % 3 == 0:
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    else:
        for p in model.parameters():
            p.grad.clamp_(-0.5, 0.5)


def main():
    x = torch.randn(512, 16)
    y = (x @ torch.randn(16, 4)).argmax(1)
    model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**14)
    for epoch in range(4):
        for i in range(0, 512, 32):
            optimizer.zero_grad()
            out = model(x[i : i + 32])
            if seed % 3 == 2:
                loss = F.multi_margin_loss(out, y[i : i + 32])
            else:
                loss = F.cross_entropy(out, y[i : i + 32])
            scaler.scale(loss).backward()
            if fault:
                clip(model)
                scaler.unscale_(optimizer)
            else:
                scaler.unscale_(optimizer)
                clip(model)
            scaler.step(optimizer)
            scaler.update()
        with torch.no_grad():
            accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
        print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)


main()
