import torch
from data import Lines, Noise, Shared, Tokens
from torch.utils.data import DataLoader, IterableDataset


class Here(IterableDataset):
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return iter(self.items)


def loaders(path, args):
    lines = Lines(path)
    yield DataLoader(lines, num_workers=4)  # want "each yields all items.*data.py: it yields"
    yield DataLoader(Tokens(path), num_workers=args.num_workers)  # want "Tokens.path. asks for no worker"
    yield DataLoader(Here([1, 2]), batch_size=2, num_workers=2)  # want "each yields all items"
    yield DataLoader(lines)  # ok: no workers
    yield DataLoader(lines, num_workers=0)  # ok: no workers
    yield DataLoader(Shared(path), num_workers=4)  # ok: it asks for its worker
    yield DataLoader(Noise(), num_workers=4)  # ok: chance, there is no item to repeat
    yield DataLoader(lines, num_workers=4, worker_init_fn=args.shard)  # ok: workers are told what is theirs
    yield DataLoader(args.data, num_workers=4)  # ok: what it is is not known
