from accelerate import Accelerator
from torch.nn.parallel import DistributedDataParallel as DDP


def train(model, loader, optimizer):
    accelerator = Accelerator()
    ddp = DDP(model)
    for x in loader:
        accelerator.backward(model(x))  # ok: accelerate has wrappers of its own
        optimizer.step()
    return ddp
