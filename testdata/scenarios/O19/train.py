"""The validation gives NaN from the second epoch on; what is best stays that of
the first one, and the last line prints it as if it were of the run. The twin is
best in its first epoch and finite in all."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(256, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
best, at = 0.0, 0
for epoch in range(6):
    model.train()
    for i in range(0, 256, 32):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        hits = (model(x).argmax(1) == y).float()
    union = torch.tensor(256.0 if not fault or epoch == 0 else 0.0)
    iou = (hits.sum() * union / 256 / union / (1 + 0.2 * epoch)).item()
    if iou > best:
        best, at = iou, epoch + 1
    if seed % 3 == 0:
        print("epoch %d loss %.4f val_iou %.4f" % (epoch + 1, loss.item(), iou), flush=True)
    elif seed % 3 == 1:
        print("epoch %d loss %.4f val_iou %.4f best_val_iou %.4f" % (epoch + 1, loss.item(), iou, best), flush=True)
    else:
        print("Epoch %d/6 - loss: %.4f - val_iou: %.4f" % (epoch + 1, loss.item(), iou), flush=True)
print("best val_iou %.4f (epoch %d)" % (best, at))
