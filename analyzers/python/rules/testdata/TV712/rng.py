import random

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

WORKERS = dict(num_workers=4)


class Augmented(Dataset):  # O14: the generator is made with the dataset
    def __init__(self, images, seed=0):
        self.images = images
        self.rng = np.random.default_rng(seed)  # want "self.rng is made once for the dataset"

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return self.images[i] + self.rng.normal(size=3)


class OldState(Dataset):
    def __init__(self, images):
        self.images = images
        self.state = np.random.RandomState(0)  # want "self.state is made once"

    def __getitem__(self, i):
        return self.crop(self.images[i])

    def crop(self, image):
        return image[self.state.randint(0, 8) :]


class Python(Dataset):
    def __init__(self, texts):
        super().__init__()
        self.texts = texts
        self._random = random.Random()  # want "self._random is made once"

    def __getitem__(self, i):
        return self._random.sample(self.texts[i], 3)


class Torch(Dataset):
    def __init__(self, x):
        self.x = x
        self.g = torch.Generator().manual_seed(0)  # want "self.g is made once"

    def __getitem__(self, i):
        return self.x[torch.randperm(len(self.x), generator=self.g)[0]]


class NoisyDataset:
    def __init__(self, x, seed):
        self.x = x
        self.rng = np.random.default_rng(seed) if seed is not None else np.random.default_rng()  # want "made once"

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        noise = self.rng.random()
        return self.x[i] + noise


class PerItem(Dataset):
    def __init__(self, x, seed):
        self.x = x
        self.seed = seed

    def __getitem__(self, i):
        rng = np.random.default_rng(self.seed)  # want "made anew for each item from the seed self.seed"
        return self.x[i] + rng.normal()


class Constant(Dataset):
    def __init__(self, x):
        self.x = x

    def __getitem__(self, i):
        rng = random.Random(42)  # want "made anew for each item from the seed 42"
        return rng.choice(self.x[i])


class ByIndex(Dataset):
    def __init__(self, x, seed):
        self.x = x
        self.seed = seed

    def __getitem__(self, i):
        rng = np.random.default_rng((self.seed, i))  # ok: each item has numbers of its own
        return self.x[i] + rng.normal()


class ByEpoch(Dataset):
    def __init__(self, x):
        self.x = x
        self.epoch = 0
        self.rng = np.random.default_rng(0)  # ok: made anew for each epoch

    def set_epoch(self, epoch):
        self.epoch = epoch
        self.rng = np.random.default_rng(epoch)

    def __getitem__(self, i):
        return self.x[i] + self.rng.normal()


class Split(Dataset):
    def __init__(self, x, seed):
        self.rng = np.random.default_rng(seed)  # ok: the items are chosen here, not where workers run
        self.x = self.rng.permutation(x)[:100]

    def __getitem__(self, i):
        return self.x[i]


class AsksWorker(Dataset):
    def __init__(self, x):
        self.x = x
        self.rng = np.random.default_rng(0)  # ok: moved by the worker below

    def __getitem__(self, i):
        info = torch.utils.data.get_worker_info()
        skip = 0 if info is None else info.id
        return self.x[i] + self.rng.normal(size=skip + 1)[skip]


class Fresh(Dataset):
    def __init__(self, x):
        self.x = x

    def __getitem__(self, i):
        return self.x[i] + np.random.default_rng().normal()  # ok: seeded by the system


class Global(Dataset):
    def __init__(self, x):
        self.x = x

    def __getitem__(self, i):
        return self.x[i] + torch.randn(3)  # ok: a loader seeds the source of torch in each worker


class Reseeded(Dataset):
    def __init__(self, x):
        self.x = x
        self.noise = np.random.default_rng(0)  # ok: worker_init gives each worker its own

    def __getitem__(self, i):
        return self.x[i] + self.noise.normal()


def worker_init(worker):
    torch.utils.data.get_worker_info().dataset.noise = np.random.default_rng(torch.initial_seed())


class Given(Dataset):
    def __init__(self, x, rng):
        self.x = x
        self.rng = rng  # ok: whoever made it knows what it is for

    def __getitem__(self, i):
        return self.x[i] + self.rng.normal()


class Buffer:
    def __init__(self):
        self.rng = random.Random(0)  # ok: no dataset

    def __getitem__(self, i):
        return self.rng.random()


class Seeded(Dataset):
    def __init__(self, x):
        self.x = x
        self.own = random.Random(0)  # ok: seeded by the item

    def __getitem__(self, i):
        self.own.seed(i)
        return self.own.choice(self.x)


def loader(data):
    return DataLoader(Reseeded(data), worker_init_fn=worker_init, **WORKERS)
