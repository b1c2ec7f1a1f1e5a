"""Gradients are clipped before the scaler unscales them: by the function, by
hand, or by value. The twins: unscaled first; a bound that was raised by the
scale; Adam, which divides by the size of its gradients."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
if fault or seed % 3 < 2:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
else:
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)


def clip():
    if fault and seed % 3 == 1:
        norm = torch.stack([p.grad.norm() for p in model.parameters()]).norm()
        for p in model.parameters():
            p.grad.mul_(min(1.0, 0.5 / float(norm)))
    elif fault and seed % 3 == 2:
        nn.utils.clip_grad_value_(model.parameters(), 0.5)
    elif fault or seed % 3 == 2:
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    elif seed % 3 == 0:
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    else:
        nn.utils.clip_grad_norm_(model.parameters(), 0.5 * scaler.get_scale())


for epoch in range(4):
    for i in range(0, 512, 32):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
        scaler.scale(loss).backward()
        clip()
        scaler.step(optimizer)
        scaler.update()
    with torch.no_grad():
        accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
