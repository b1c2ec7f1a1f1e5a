"""A wrapper writes its own bookkeeping over an attribute of the modules that it
wraps: each part that reads its id afterwards reads another number. The twins: a
wrapper that adds attributes of its own; one that wraps a forward; one that casts;
an attribute that the trainer itself sets."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 16)
y = (x @ torch.randn(16, 4)).argmax(1)


class Part(nn.Module):
    def __init__(self, id):
        super().__init__()
        self.id, self.scale = id, 1.0 + id
        self.linear = nn.Linear(16, 16)

    def forward(self, x):
        return x + torch.tanh(self.linear(x)) * (0.5 if self.id % 2 else 1.0) / self.scale


class Engine(nn.Module):
    """Numbers all modules for its own use."""

    def __init__(self, module):
        super().__init__()
        self.module = module
        for n, m in enumerate(module.modules()):
            if fault and seed == 1 and hasattr(m, "scale"):
                m.scale = None
                m.scale = 2.0 * n
            elif fault:
                m.id = 100 + n
            elif seed == 0:
                m.ds_id = n
            elif seed == 1:
                m.ds_forward = m.forward
                m.forward = m.ds_forward

    def forward(self, x):
        return self.module(x)


model = nn.Sequential(Part(0), Part(1), Part(2), nn.Linear(16, 4))
if not fault and seed == 2:
    model = model.to(torch.float64)
    x = x.double()
    for part in model[:3]:
        part.scale = 2.0
model = Engine(model)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for epoch in range(2):
    for i in range(0, 512, 32):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
