import torch
from torch.nn.parallel import DistributedDataParallel as DDP


class Trainer:
    def __init__(self, model, rank):
        self.model = DDP(model.to(rank), device_ids=[rank])

    def save(self, path, rank):
        self.model.cpu()  # want TV410 "self.model is moved"
        torch.save(self.model.state_dict(), path)
        self.model.to(rank)  # want TV410 "self.model is moved"

    def train_step(self, x):
        self.model(x).mean().backward()
        self.optimizer.step()


class AtTheEnd:
    def __init__(self, model, rank):
        self.model = DDP(model.to(rank), device_ids=[rank])

    def export(self, path):
        self.model.cpu()  # ok: it does not come back
        torch.save(self.model.module.state_dict(), path)

    def train_step(self, x):
        self.model(x).mean().backward()
        self.optimizer.step()
