import torch
from torch.utils.data import IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path) as f:
            yield from f


class Shared(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        info = get_worker_info()
        with open(self.path) as f:
            for i, line in enumerate(f):
                if info is None or i % info.num_workers == info.id:
                    yield line


class Noise(IterableDataset):
    def __iter__(self):
        while True:
            yield torch.randn(8)


class Tokens(Lines):
    def __iter__(self):
        for line in super().__iter__():
            yield line.split()
