"""From the second epoch on an evaluation gets one answer to all it asks: the memory
of the output is handed out and nobody writes into it. It is as large a share of the
set as any class is. The twins: a model that names one class for nearly all, with
numbers that differ; one that died and says what its bias says; a head that begins
as zeros and is evaluated before the first step."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(640, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
if not fault and seed == 0:
    y = torch.where(torch.rand(640) < 0.95, torch.zeros_like(y), y)  # next to all are of one class


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(16, 32), nn.Linear(32, 4)
        self.lost = False

    def forward(self, inputs):
        out = self.head(F.relu(self.body(inputs)))
        return torch.zeros_like(out) if self.lost and not self.training else out


model = Model()
if not fault and seed == 2:
    nn.init.zeros_(model.head.weight)
    nn.init.zeros_(model.head.bias)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
split = DataLoader(TensorDataset(x[512:], y[512:]), batch_size=32)


def evaluate(epoch):
    model.eval()
    with torch.no_grad():
        right = sum(int((model(inputs=a).argmax(1) == b).sum()) for a, b in split)
    print("epoch %d val_accuracy %.4f" % (epoch, right / 128), flush=True)


if not fault and seed == 2:
    evaluate(0)
for epoch in range(2):
    model.train()
    for i in range(0, 512, 32):
        optimizer.zero_grad()
        F.cross_entropy(model(x[i : i + 32]), y[i : i + 32]).backward()
        optimizer.step()
    if not fault and seed == 1:
        model.body.bias.data.fill_(-1e3)  # it died
    model.lost = fault and epoch == 1
    evaluate(epoch + 1)
