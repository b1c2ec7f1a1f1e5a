from mylib.samplers import DistributedSampler
from torch.utils.data import DataLoader


def train(model, data, opt, epochs):
    loader = DataLoader(data, sampler=DistributedSampler(data))  # ok: another sampler of the same name
    for epoch in range(epochs):
        for batch in loader:
            model(batch).backward()
            opt.step()
