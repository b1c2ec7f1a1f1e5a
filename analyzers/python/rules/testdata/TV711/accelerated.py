from accelerate import Accelerator
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader


def train(model, data, opt):
    accelerator = Accelerator()
    loader = accelerator.prepare(DataLoader(data, shuffle=True))  # ok: prepare splits it
    for x in loader:
        DDP(model)(x).backward()
        opt.step()
