from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def loader(data):
    return DataLoader(data, sampler=DistributedSampler(data))  # want "each epoch goes over the data in the order of the first"
