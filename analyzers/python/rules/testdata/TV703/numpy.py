import random

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Crop(Dataset):
    def __init__(self, x):
        self.x = x
        self.start = np.random.randint(3)  # ok: drawn once, before there are workers

    def __getitem__(self, i):
        k = np.random.randint(0, 8)  # want "np.random.randint draws an item from NumPy's global source"
        return self.x[i][k:]


class Helper(Dataset):
    def __getitem__(self, i):
        return self.noise(i)

    def noise(self, i):
        return np.random.normal(size=i)  # want "np.random.normal"


class Own(Dataset):
    def __getitem__(self, i):
        return np.random.default_rng(i).normal()  # ok: a source of its own


class Seeded(Dataset):
    def __getitem__(self, i):
        np.random.seed(i)
        return np.random.normal()  # ok: seeded by the item


class Python(Dataset):
    def __getitem__(self, i):
        return random.random()  # ok: torch has seeded Python's source in its workers for long


class Torch(Dataset):
    def __getitem__(self, i):
        return torch.rand(i)  # ok: seeded in each worker


def loader(data):
    return DataLoader(data, num_workers=4)
