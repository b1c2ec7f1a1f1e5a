"""The optimizer is stepped past the scaler of its loss. The twin has a scaler that
is switched off, unscales by itself, or has a second optimizer whose loss is not
scaled."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
other = nn.Linear(16, 4)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
second = torch.optim.SGD(other.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, enabled=fault or seed != 0)


def step():
    if fault or seed == 0:
        optimizer.step()
    elif seed == 1:
        for p in model.parameters():
            p.grad.div_(scaler.get_scale())
        optimizer.step()
    else:
        F.cross_entropy(other(x[:32]), y[:32]).backward()
        second.step()
        second.zero_grad()
        scaler.step(optimizer)
        scaler.update()


for epoch in range(3):
    for i in range(0, 512, 32):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
        scaler.scale(loss).backward()
        step()
    with torch.no_grad():
        accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
