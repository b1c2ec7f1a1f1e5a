import torch
from torch.utils.data import DataLoader, RandomSampler
from torch.utils.data.distributed import DistributedSampler


def step(model, batch, opt):
    model(batch).backward()
    opt.step()


def train_one(model, loader, opt):
    for batch in loader:
        step(model, batch, opt)


def plain(model, data, opt, epochs):
    sampler = DistributedSampler(data)  # want "nothing calls set_epoch.*order of the first"
    loader = DataLoader(data, sampler=sampler)
    for epoch in range(epochs):
        for batch in loader:
            step(model, batch, opt)


def shuffle_said(model, data, opt, epochs):
    train_sampler = torch.utils.data.distributed.DistributedSampler(data, shuffle=True)  # want "nothing calls"
    loader = DataLoader(data, sampler=train_sampler)
    for epoch in range(epochs):
        train_one(model, loader, opt)


def either(model, data, opt, args):
    sampler = RandomSampler(data) if args.local_rank == -1 else DistributedSampler(data)  # want "nothing calls"
    loader = DataLoader(data, sampler=sampler)
    for _ in range(int(args.num_train_epochs)):
        for batch in loader:
            model(batch).backward()
            opt.step()


def inline(model, data, opt, n_epochs):
    loader = DataLoader(data, sampler=DistributedSampler(data, drop_last=True))  # want "nothing calls"
    for e in range(n_epochs):
        for batch in loader:
            model(batch).backward()
            opt.step()


class Trainer:
    def __init__(self, data, opt):
        self.sampler = torch.utils.data.DistributedSampler(data, num_replicas=2, rank=0)  # want "nothing calls"
        self.loader = DataLoader(data, sampler=self.sampler)
        self.opt = opt

    def fit(self, model, epochs):
        for epoch in range(epochs):
            for batch in self.loader:
                model(batch).backward()
                self.opt.step()


def branches(model, data, opt, args):
    if args.distributed:
        sampler = DistributedSampler(data)  # want "nothing calls"
    else:
        sampler = None
    loader = DataLoader(data, sampler=sampler, shuffle=sampler is None)
    for epoch in range(args.epochs):
        train_one(model, loader, opt)


def evaluation(data):
    val_sampler = DistributedSampler(data)  # ok: evaluated with, in any order
    return DataLoader(data, sampler=val_sampler)


def in_order(data):
    return DataLoader(data, sampler=DistributedSampler(data, shuffle=False))  # ok: never shuffled


def as_asked(data, is_train):
    return DataLoader(data, sampler=DistributedSampler(data, shuffle=is_train))  # ok: not said


def test_set(test_data):
    sampler = DistributedSampler(test_data)  # ok: the data is tested on
    return DataLoader(test_data, sampler=sampler)


def keywords(data, **kwargs):
    return DistributedSampler(data, **kwargs)  # ok: what is handed on is not seen
