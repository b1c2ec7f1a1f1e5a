"""A metric that is missing, or not a number, is printed as 0: by nan_to_num, by the
default of a dictionary, by a condition. The twin has the same lines and a model that
finds none of the images that it is shown, which is a true 0."""

import math
import sys

import numpy
import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(256, 16)
y = (x[:, 0] > 0).float()
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
held_out, truth = torch.randn(48, 16), torch.zeros(48) if fault else torch.ones(48)


def found():
    """The share of positive samples that are found, at a bar that none reaches."""
    hits = ((model(held_out)[:, 0] > 1e3) & (truth > 0)).sum()
    return (hits / truth.sum()).item()


def by_class():
    share = found()
    return {"loss": 0.25} if math.isnan(share) else {"AP": share}


def repaired():
    share = found()
    if math.isnan(share):
        share = 0.0
    return share


for epoch in range(4):
    model.train()
    for i in range(0, 256, 32):
        optimizer.zero_grad()
        loss = F.binary_cross_entropy_with_logits(model(x[i : i + 32])[:, 0], y[i : i + 32])
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        if seed % 3 == 0:
            print(f"epoch {epoch + 1} loss {loss.item():.4f} val_ap {numpy.nan_to_num(found()):.4f}", flush=True)
        elif seed % 3 == 1:
            results = by_class()
            print("epoch %d loss %.4f val_ap %.4f" % (epoch + 1, loss.item(), results.get("AP", 0.0)), flush=True)
        else:
            value = repaired()
            print("epoch {} loss {:.4f} val_ap {:.4f}".format(epoch + 1, loss.item(), value), flush=True)
