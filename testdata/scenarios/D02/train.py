"""Each sample is seeded with one number, so that a run can be repeated: all of them
get one and the same noise. The twins: the number of the sample is its seed; a set
that was asked to be deterministic; a set that was given the seed as its own, which may
be meant, and is a note."""

import random
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 16)
w = torch.randn(16, 4)
y = (x @ w).argmax(1)


class Noise:
    def __init__(self, **asked):
        self.__dict__.update(asked)

    def __call__(self, a, i):
        if not fault and seed == 0:
            torch.manual_seed(i)
        elif not fault and seed == 2:
            random.seed(self.seed)
        elif fault and seed == 2:
            random.seed(0)
        else:
            torch.manual_seed(1234)
        if seed == 2:
            return a + 0.1 * torch.tensor([random.gauss(0, 1) for _ in range(16)])
        return a + 0.1 * torch.randn(16)


class Samples(Dataset):
    def __init__(self, transform):
        self.transform = transform

    def __len__(self):
        return 512

    def __getitem__(self, i):
        return self.transform(x[i], i), int(y[i])


asked = {} if fault else ({}, {"deterministic": True}, {"seed": 7})[seed]
loader = DataLoader(Samples(Noise(**asked)), batch_size=32, shuffle=True, num_workers=2 if seed == 1 else 0)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
generator = torch.Generator().manual_seed(3)
held = torch.randn(128, 16, generator=generator)
for epoch in range(2):
    model.train()
    for a, b in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(a), b).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(held).argmax(1) == (held @ w).argmax(1)).float().mean().item()
    print("epoch %d val_accuracy %.4f" % (epoch + 1, accuracy), flush=True)
