from accelerate import Accelerator
from torch.utils.data import DataLoader, DistributedSampler


def train(model, data, opt, epochs):
    accelerator = Accelerator()
    loader = accelerator.prepare(DataLoader(data, sampler=DistributedSampler(data)))  # ok: its loaders count epochs
    for epoch in range(epochs):
        for batch in loader:
            accelerator.backward(model(batch))
            opt.step()
