"""An init function goes through all parameters below each module that it is called
for: those at the bottom are drawn anew at each level. The numbers are as good as
before, so this is a note. The twins: each drawn once by apply; drawn by its layer
and once more by apply; tied weights."""

import math
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 16)
y = (x @ torch.randn(16, 4)).argmax(1)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(16, 32), nn.Linear(32, 16)

    def forward(self, x):
        return x + self.down(F.gelu(self.up(x)))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(*[nn.Sequential(Block()) for _ in range(3)])
        self.head = nn.Linear(16, 4)
        self.apply(self.init)

    def init(self, module):
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, std=0.02)
            nn.init.zeros_(module.bias)
        named = module.named_parameters() if fault else module.named_parameters(recurse=False)
        for name, p in named:
            if name.endswith("down.weight"):
                if seed == 1:
                    nn.init.trunc_normal_(p, std=0.02 / math.sqrt(6))
                else:
                    nn.init.normal_(p, std=0.02 / math.sqrt(6))

    def forward(self, x):
        return self.head(self.blocks(x))


model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(2):
    for i in range(0, 512, 32):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
