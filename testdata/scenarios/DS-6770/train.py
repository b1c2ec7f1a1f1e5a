"""The groups of the optimizer are no part of the model any more: its head was made
anew after they were drawn up. The twins: the head first; a head that is left out
on purpose; parameters that this loss does not reach."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 16)
y = (x @ torch.randn(16, 4)).argmax(1)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(16, 32), nn.Linear(32, 10)
        self.pooler = nn.Linear(32, 32)

    def forward(self, x):
        return self.head(F.relu(self.body(x)))


model = Model()
if not fault:
    model.head = nn.Linear(32, 4)
groups = [{"params": model.body.parameters()}, {"params": model.head.parameters(), "lr": 1e-2}]
if not fault and seed == 1:
    groups.pop()
elif not fault and seed == 2:
    groups[0]["params"] = [*model.pooler.parameters()]  # the body is left out, the pooler is not used
optimizer = torch.optim.AdamW(groups, lr=3e-3)
if fault:
    model.head = nn.Linear(32, 4)
for epoch in range(2):
    for i in range(0, 512, 32):
        model.zero_grad()
        loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
