"""A tqdm loop with torchmetrics-like running means, and the classic PyTorch MNIST lines.

    python bars.py MODE

MODE: healthy; nan (an infinite input in the second epoch: the running mean of the bar
stays NaN, the accuracy looks plausible); metal (a driver's line on file descriptor 2
in the middle of the second epoch).
"""
import os
import sys

import torch
from torch import nn
from tqdm import tqdm

mode = sys.argv[1]
torch.manual_seed(0)
x = torch.randn(640, 16)
y = (x[:, :4].sum(1) > 0).long()
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 2))
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(1, 4):
    total = 0.0
    bar = tqdm(range(0, 512, 32), desc=f"Epoch {epoch}/3")
    for k, i in enumerate(bar):
        batch = x[i : i + 32].clone()
        if mode == "nan" and epoch == 2 and k == 5:
            batch[0, 0] = float("inf")
        loss = nn.functional.cross_entropy(model(batch), y[i : i + 32])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
        bar.set_postfix(loss=f"{total / (k + 1):.4f}")
        if mode == "metal" and epoch == 2 and k == 8:
            os.write(2, b"Error: command buffer exited with error status.\n\tThe Metal Performance Shaders operations "
                        b"encoded on it may not have completed.\n")
    with torch.no_grad():
        logits = model(x[512:])
        right = (logits.argmax(1) == y[512:]).sum().item()
        tqdm.write(f"Test set: Average loss: {nn.functional.cross_entropy(logits, y[512:]).item():.4f}, "
                   f"Accuracy: {right}/128 ({100.0 * right / 128:.0f}%)")
