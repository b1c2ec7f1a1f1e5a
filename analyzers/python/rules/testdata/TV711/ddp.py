import torch
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader


def plain(model, data, opt, rank):
    net = DDP(model, device_ids=[rank])
    loader = DataLoader(data, batch_size=8, shuffle=True)  # want "no DistributedSampler: every rank trains on all of data"
    for x, y in loader:
        net(x, y).backward()
        opt.step()


def enumerated(model, train_set, opt, epochs):
    net = torch.nn.parallel.DistributedDataParallel(model)
    train_loader = torch.utils.data.DataLoader(train_set, 8, True)  # want "every rank trains on all of train_set"
    for epoch in range(epochs):
        for i, (x, y) in enumerate(train_loader):
            net(x, y).backward()
            opt.step()


class Trainer:
    def __init__(self, model, data):
        self.model = DDP(model)
        self.loader = DataLoader(data, num_workers=4)  # want "every rank trains"

    def epoch(self, opt):
        for x, y in self.loader:
            self.model(x, y).backward()
            opt.step()


def scaled(model, data, opt, scaler):
    net = DDP(model)
    loader = DataLoader(data, drop_last=True)  # want "every rank trains"
    for x, y in loader:
        scaler.scale(net(x, y)).backward()
        scaler.step(opt)


def made_here(model, path, opt):
    net = DDP(model)
    dataset = torch.load(path)
    batches = DataLoader(dataset=dataset, batch_size=4)  # want "every rank trains on all of dataset"
    for x in batches:
        net(x).backward()
        opt.step()


def tqdm_loop(model, data, opt, tqdm):
    net = DDP(model)
    loader = DataLoader(data, pin_memory=True)  # want "every rank trains"
    for x in tqdm(loader, desc="train"):
        net(x).backward()
        opt.step()


def with_validation(model, val_data, opt):
    val_loader = DataLoader(val_data)  # ok: evaluated with
    for x in val_loader:
        model(x)


def own_order(model, data, opt, order):
    loader = DataLoader(data, sampler=order)  # ok: what it is given may split
    for x in loader:
        model(x).backward()


def batches(model, data, opt, order):
    loader = DataLoader(data, batch_sampler=order)  # ok: what it is given may split
    for x in loader:
        model(x).backward()


def by_rank(model, make, rank, opt):
    part = make(rank)
    loader = DataLoader(part, batch_size=4)  # ok: each rank has its part
    for x in loader:
        model(x).backward()


def features(model, data):
    loader = DataLoader(data)  # ok: nothing is trained on it
    return [model(x) for x in loader]


def handed_on(model, data, fit):
    loader = DataLoader(data)  # ok: where it goes is not seen
    fit(model, loader)


def keywords(model, data, opt, kw):
    loader = DataLoader(data, **kw)  # ok: a sampler may be among them
    for x in loader:
        model(x).backward()


def positional(model, data, order, opt):
    loader = DataLoader(data, 8, False, order)  # ok: a sampler by position
    for x in loader:
        model(x).backward()


def epoch_of(net, batches, opt):
    for x in batches:
        net(x).backward()
        opt.step()


def handed(model, data, opt):
    net = DDP(model)
    loader = DataLoader(data)  # want "every rank trains"
    epoch_of(net, loader, opt)
