"""A norm takes its scale from the first batch that it is trained on. The model is
evaluated before: on what nobody has set yet. The twins: one batch in training mode
first; a batch norm, whose statistics are set from the start; one that sets itself
in any mode."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = 3 * torch.randn(512, 16) + 1
y = (x @ torch.randn(16, 4)).argmax(1)


class ActNorm(nn.Module):
    def __init__(self, n, always=False):
        super().__init__()
        self.always, self.ready = always, False
        self.scale, self.shift = nn.Parameter(torch.ones(n)), nn.Parameter(torch.zeros(n))

    def forward(self, x):
        if not self.ready and (self.training or self.always):
            self.ready = True
            with torch.no_grad():
                if seed % 2:
                    self.scale.data.copy_(1 / x.std(0))
                    self.shift.data.copy_(-x.mean(0))
                else:
                    self.scale.copy_(1 / x.std(0))
                    self.shift.copy_(-x.mean(0))
        return self.scale * (x + self.shift)


if fault or seed == 0:
    norms = ActNorm(16), ActNorm(32)
elif seed == 1:
    norms = nn.BatchNorm1d(16), nn.BatchNorm1d(32)
else:
    norms = ActNorm(16, always=True), ActNorm(32, always=True)
model = nn.Sequential(norms[0], nn.Linear(16, 32), norms[1], nn.ReLU(), nn.Linear(32, 4))
if not fault and seed == 0:
    model.train()
    with torch.no_grad():
        model(x[:64])


def evaluate(epoch):
    model.eval()
    with torch.no_grad():
        accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
    print("epoch %d val_accuracy %.4f" % (epoch, accuracy), flush=True)


evaluate(0)
if seed == 2 and fault:
    evaluate(0)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(2):
    model.train()
    for i in range(0, 512, 32):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
        loss.backward()
        optimizer.step()
print("loss %.4f" % loss.item(), flush=True)
