"""A schedule that divides by integers: the learning rate is 0 at each step. The twin has
rates of 0 at its first step and in its last part."""

import sys

import torch
from torch import nn

mode, seed = sys.argv[1], int(sys.argv[2])
torch.manual_seed(seed)
net = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 3))
opt = torch.optim.AdamW(net.parameters(), lr=1e-2)
TOTAL = 96
sch = torch.optim.lr_scheduler.LambdaLR(opt, (lambda s: s // 1000) if mode == "fault" else (lambda s: min(1.0, s / 8) * max(0.0, 1 - s / 64)))
x = torch.randn(256, 8)
y = (x @ torch.randn(8, 3)).argmax(1)
for s in range(TOTAL):
    i = s % 8 * 32
    loss = nn.functional.cross_entropy(net(x[i : i + 32]), y[i : i + 32])
    opt.zero_grad()
    loss.backward()
    opt.step()
    sch.step()
    if s % 32 == 31:
        with torch.no_grad():
            print("step %d loss %.4f val_acc %.4f" % (s + 1, loss, (net(x).argmax(1) == y).float().mean()), flush=True)
