"""Four workers draw the same random numbers for different samples: 8 distinct of
32, and the second epoch has those of the first. The stream lies in the dataset, in
the module, or every worker is given one seed. The twins: a stream that each worker
seeds for itself, an evaluation that repeats by design, sorted data without chance."""

import random
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, WeightedRandomSampler

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(32, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
x, y = x[y.argsort()], y.sort().values
stream = random.Random(seed)


class Held(Dataset):
    """The stream is made once, and copied into each worker."""

    def __init__(self, fixed):
        self.stream = np.random.RandomState(seed) if fixed else None

    def __len__(self):
        return len(x)

    def noise(self):
        return self.stream.randn(16) if self.stream is not None else np.random.randn(16)

    def __getitem__(self, i):
        return x[i] + 0.05 * torch.as_tensor(self.noise(), dtype=torch.float32), y[i]


class OfModule(Held):
    def noise(self):
        return [stream.gauss(0, 1) for _ in range(16)]


class Still(Held):
    def noise(self):
        return [0.0] * 16


def same_for_all(worker):
    np.random.seed(seed)


def one_each(worker):
    np.random.seed(torch.initial_seed() % 2**32)
    stream.seed(torch.initial_seed())


def loaders():
    if fault:
        data = (Held(True), OfModule(False), Held(False))[seed % 3]
        return DataLoader(data, batch_size=8, shuffle=True, num_workers=4, worker_init_fn=same_for_all if seed % 3 == 2 else None)
    if seed % 3 == 0:
        return DataLoader(Held(False), batch_size=8, shuffle=True, num_workers=4)
    if seed % 3 == 1:
        return DataLoader(Still(False), batch_size=8, sampler=WeightedRandomSampler([1.0] * 32, 32), num_workers=2)
    return DataLoader(OfModule(False), batch_size=8, shuffle=False, num_workers=4, worker_init_fn=one_each, persistent_workers=True)


model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
train, evaluation = loaders(), DataLoader(Held(not fault), batch_size=8, num_workers=2)
for epoch in range(2):
    model.train()
    for a, b in train:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(a), b)
        loss.backward()
        optimizer.step()
    model.eval()
    right = 0
    with torch.no_grad():
        for a, b in evaluation:
            right += int((model(a).argmax(1) == b).sum())
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), right / 32), flush=True)
