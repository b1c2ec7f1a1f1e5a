from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def loader(data):
    return DataLoader(data, sampler=DistributedSampler(data))  # ok: the loop of the other file tells it
