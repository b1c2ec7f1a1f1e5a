from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def infinite(loader):
    while True:
        yield from loader


def train(model, data, opt, steps):
    loader = DataLoader(data, sampler=DistributedSampler(data))  # ok: no loop over epochs in this tree
    for step, batch in zip(range(steps), infinite(loader)):
        model(batch).backward()
        opt.step()
