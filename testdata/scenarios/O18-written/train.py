"""A metric that is missing is reported as 0: NaN, since the split has no positive
sample; a key that the evaluation did not give; an exception. The twin's source
has the same defaults, and its model finds none of the positive samples."""

import math
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from accelerate import Accelerator

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
accelerator = Accelerator(cpu=True)
x = torch.randn(256, 16)
y = (x[:, 0] > 0).float()
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
held, truth = torch.randn(48, 16), torch.zeros(48) if fault else torch.ones(48)


def evaluate():
    found = ((model(held)[:, 0] > 1e3) & (truth > 0)).sum().item()
    positive = truth.sum().item()
    if seed % 3 == 0:
        value = found / positive if positive else float("nan")
        return 0.0 if math.isnan(value) else value
    if seed % 3 == 1:
        results = {"ap": found / positive} if positive else {}
        return results.get("ap", 0.0)
    try:
        return found / positive
    except ZeroDivisionError:
        return 0.0


for epoch in range(4):
    model.train()
    for i in range(0, 256, 32):
        optimizer.zero_grad()
        loss = F.binary_cross_entropy_with_logits(model(x[i : i + 32])[:, 0], y[i : i + 32])
        accelerator.backward(loss)
        optimizer.step()
    model.eval()
    with torch.no_grad():
        value = evaluate()
    accelerator.log({"val_ap": value}, step=8 * (epoch + 1))
    print("epoch %d loss %.4f val_ap %.4f" % (epoch + 1, loss.item(), value), flush=True)
