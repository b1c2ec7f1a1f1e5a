"""Each worker inherits one and the same state of NumPy's generator: the same
augmentations in all of them. The twin seeds each worker by its own seed."""

import random
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(256, 16)
y = (x @ torch.randn(16, 4)).argmax(1)


class Noisy(Dataset):
    def __len__(self):
        return len(x)

    def __getitem__(self, i):
        noise = torch.tensor([random.gauss(0, 0.1) for _ in range(16)])
        return x[i] + noise, y[i]


def same(worker):
    """What old releases did to NumPy, for the generator of the standard library."""
    random.seed(seed)


def apart(worker):
    random.seed(torch.initial_seed() % 2**32)


model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
loader = DataLoader(Noisy(), 32, shuffle=True, num_workers=2, worker_init_fn=same if fault else (None, apart, apart)[seed])
for epoch in range(2):
    for a, b in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(a), b)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
