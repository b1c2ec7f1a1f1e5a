"""Autocast in bfloat16 that one kind of operation never hears of: a transform calls
the primitive behind linear, with autocast switched off, and all matrix products
stay in float32: as exact as before, and slower than what is claimed. The twins:
autocast that is heard; a float32 head, norms and loss beside it; a part that is
kept in float32 on purpose."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 16)
y = (x @ torch.randn(16, 4)).argmax(1)


class Primitive(nn.Linear):
    def forward(self, x):
        with torch.autocast("cpu", enabled=False):
            return torch.addmm(self.bias.float(), x.float(), self.weight.float().t())


kind = Primitive if fault else nn.Linear
head = Primitive if fault or seed == 1 else nn.Linear
model = nn.Sequential(kind(16, 64), nn.LayerNorm(64), nn.GELU(), kind(64, 64), nn.GELU(), head(64, 4))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for epoch in range(3):
    model.train()
    for i in range(0, 512, 32):
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = model(x[i : i + 32])
            if seed == 2:
                logits = logits.float()
            loss = F.cross_entropy(logits, y[i : i + 32])
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
    print("epoch %d loss %.4f val_accuracy %.4f samples_per_second %.1f" % (epoch + 1, loss.item(), accuracy, 1000.0 + epoch), flush=True)
