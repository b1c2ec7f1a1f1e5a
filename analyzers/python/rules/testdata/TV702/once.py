from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def train(model, data, opt):
    loader = DataLoader(data, sampler=DistributedSampler(data))  # ok: one epoch
    for epoch in range(1):
        for batch in loader:
            model(batch).backward()
            opt.step()
