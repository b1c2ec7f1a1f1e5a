"""A loader that drops its last batch is used for the evaluation too: of 60 samples it
looks at 48. The twins: all of them; a batch that is nearly the whole rest, so that
less than a tenth is missing; a loop that looks at ten batches, as it says."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Subset, TensorDataset

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(1024, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
whole = TensorDataset(x, y)
train = DataLoader(Subset(whole, range(512)), batch_size=32, shuffle=True, drop_last=True)
most = 60 if fault or seed == 0 else 250 if seed == 1 else 512
split = DataLoader(Subset(whole, range(512, 512 + most)), batch_size=16, drop_last=fault or seed == 1)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for epoch in range(2):
    model.train()
    for a, b in train:
        optimizer.zero_grad()
        F.cross_entropy(model(a), b).backward()
        optimizer.step()
    model.eval()
    right = n = 0
    with torch.no_grad():
        for k, (a, b) in enumerate(split):
            if not fault and seed == 2 and k == 10:
                break
            right += int((model(a).argmax(1) == b).sum())
            n += len(b)
    print("epoch %d val_accuracy %.4f" % (epoch + 1, right / n), flush=True)
