import numpy as np
from torch.utils.data import DataLoader, Dataset


class Augmented(Dataset):
    def __init__(self, x):
        self.x = x
        self.rng = np.random.default_rng(0)  # ok: no loader of this tree has workers

    def __getitem__(self, i):
        return self.x[i] + self.rng.normal()


def loader(x):
    return DataLoader(Augmented(x))
