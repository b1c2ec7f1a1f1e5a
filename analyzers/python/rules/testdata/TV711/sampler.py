from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def train(model, data, opt):
    net = DDP(model)
    loader = DataLoader(data, sampler=DistributedSampler(data))  # ok: split by the sampler
    small = DataLoader(data, shuffle=True)  # ok: a file that splits knows what it leaves whole
    for x in loader:
        net(x).backward()
        opt.step()
    for x in small:
        net(x).backward()
