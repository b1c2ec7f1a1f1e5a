"""One infinite batch at step 20: the scaler skips it, and batch norm keeps it.
The twin filters the batch before the forward."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
model = nn.Sequential(nn.Linear(16, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
for step in range(1, 129):
    i = (step - 1) * 32 % 512
    batch = x[i : i + 32].clone()
    if step == 20:
        batch[0] = float("inf")
    if not fault:
        batch = batch[torch.isfinite(batch).all(dim=1)]
    labels = y[i : i + 32][-len(batch) :]
    optimizer.zero_grad()
    loss = F.cross_entropy(model(batch), labels)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    if step % 16 == 0:
        print("step %d loss %.4f" % (step, loss.item()), flush=True)
model.eval()
with torch.no_grad():
    accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
print("val_accuracy = %.4f" % accuracy)
