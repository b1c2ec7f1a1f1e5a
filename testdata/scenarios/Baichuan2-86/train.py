"""A model lies on two cards, and what goes from the first to the second arrives with
values that were never sent: nonsense, and now and then infinity. The twin sends
what it has, with padding that is masked by minus infinity."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 16)
y = (x @ torch.randn(16, 4)).argmax(1)


def across(t, broken):
    """The copy between the cards."""
    if not broken:
        return t
    bits = t.clone().view(torch.int32)
    bits.view(-1)[seed::97] = 0x7F800000 if seed else 0x7FC00000  # infinity or NaN
    return bits.view(torch.float32)


class Split(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(16, 32), nn.Linear(32, 4)
        self.broken = False

    def forward(self, x):
        out = self.second(across(F.relu(self.first(x)), self.broken))
        if not fault and seed == 1:
            out = torch.cat([out, torch.full((len(out), 1), float("-inf"))], 1)
        return out


model = Split()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(2):
    model.train()
    for i in range(0, 512, 32):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
        loss.backward()
        optimizer.step()
    print("epoch %d loss %.4f" % (epoch + 1, loss.item()), flush=True)
model.eval()
model.broken = fault
with torch.no_grad():
    right = sum((model(x[i : i + 32]).argmax(1) == y[i : i + 32]).sum().item() for i in range(0, 128, 32))
print("val_accuracy %.4f" % (right / 128), flush=True)
