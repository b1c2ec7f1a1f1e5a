"""The optimizer is made, and then the model's parameters are laid into one flat
parameter, as sharding does: the optimizer goes on with those that nobody uses. The
twins make it afterwards, or tell it."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 16)
y = (x @ torch.randn(16, 4)).argmax(1)


class Flat(nn.Module):
    """The parameters of a module as views of one."""

    def __init__(self, module):
        super().__init__()
        self.module = module
        self.places = [(m, n, p.shape) for m in module.modules() for n, p in list(m._parameters.items()) if p is not None]
        self.flat = nn.Parameter(torch.cat([p.detach().reshape(-1) for p in module.parameters()]))
        for m, n, _ in self.places:
            del m._parameters[n]

    def forward(self, x):
        at = 0
        for m, n, shape in self.places:
            setattr(m, n, self.flat[at : at + shape.numel()].view(shape))
            at += shape.numel()
        return self.module(x)


kind = (torch.optim.Adam, torch.optim.AdamW, torch.optim.SGD)[seed]
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
if fault or seed == 1:
    optimizer = kind(model.parameters(), lr=3e-3)
model = Flat(model)
if not fault and seed == 1:
    optimizer.param_groups[0]["params"] = list(model.parameters())
elif not fault:
    optimizer = kind(model.parameters(), lr=3e-3)
for epoch in range(2):
    for i in range(0, 512, 32):
        model.zero_grad()
        loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
