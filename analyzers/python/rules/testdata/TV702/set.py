from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def train(model, data, opt, epochs):
    sampler = DistributedSampler(data)  # ok: told the epoch below
    loader = DataLoader(data, sampler=sampler)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for batch in loader:
            model(batch).backward()
            opt.step()
