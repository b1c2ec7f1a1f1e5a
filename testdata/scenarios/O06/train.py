"""Two optimizers and one scaler; only the discriminator overflows, at steps 3
and 9."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
G = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 8))
D = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
of_g, of_d = torch.optim.Adam(G.parameters(), lr=1e-3), torch.optim.Adam(D.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=4)
for step in range(1, 13):
    of_g.zero_grad()
    fake = G(torch.randn(32, 4))
    scaler.scale(F.softplus(-D(fake)).mean()).backward()
    scaler.step(of_g)
    of_d.zero_grad()
    loss = F.softplus(D(fake.detach())).mean() + F.softplus(-D(torch.randn(32, 8) + 2)).mean()
    scaler.scale(loss).backward()
    if fault and step in (3, 9):
        D[0].weight.grad[0] = float("inf")
    scaler.step(of_d)
    scaler.update()
    print("step %d loss %.4f" % (step, loss.item()), flush=True)
with torch.no_grad():
    print("val_score = %.4f" % torch.sigmoid(D(G(torch.randn(256, 4)))).mean().item())
