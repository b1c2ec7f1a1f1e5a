"""A backbone says that its first stages are frozen, and freezes them in a method
that nobody calls. The twins: it calls it at each train(); says that none are frozen."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 16)
y = (x @ torch.randn(16, 4)).argmax(1)


class Backbone(nn.Module):
    def __init__(self, frozen_stages):
        super().__init__()
        self.frozen_stages = frozen_stages
        self.stages = nn.ModuleList([nn.Linear(16, 16) for _ in range(4)])

    def freeze(self):
        for stage in self.stages[: self.frozen_stages]:
            stage.eval()
            for p in stage.parameters():
                p.requires_grad = False

    def forward(self, x):
        for stage in self.stages:
            x = torch.tanh(stage(x)) + x
        return x


class Freezing(Backbone):
    def train(self, mode=True):
        super().train(mode)
        self.freeze()
        return self


class Model(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone, self.head = backbone, nn.Linear(16, 4)

    def forward(self, x):
        return self.head(self.backbone(x))


if fault:
    backbone = Backbone(2 + seed % 2)
elif seed == 1:
    backbone = Backbone(-1)
else:
    backbone = Freezing(2)
model = Model(backbone)
model.train()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for epoch in range(3):
    for i in range(0, 512, 32):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
