"""A fine-tune of 16 steps whose scaler starts far too high: the first steps are
discarded. The twin starts as high and makes 400 steps."""

import sys

import torch
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(256, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 4))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
scaler = torch.amp.GradScaler("cpu", init_scale=4194304.0)
for step in range(16 if fault else 400):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    scaler.scale(loss).backward()
    for p in model.parameters():  # the range of float16
        p.grad[p.grad.abs() > 4096] = float("inf")
    scaler.step(optimizer)
    scaler.update()
    if step % 8 == 7:
        print("step %d loss %.4f" % (step + 1, loss.item()), flush=True)
model.eval()
with torch.no_grad():
    accuracy = (model(x).argmax(1) == y).float().mean().item()
print("val_accuracy = %.4f" % accuracy)
