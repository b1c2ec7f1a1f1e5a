"""A training goes on with its model and its optimizer, and without what else its
file holds: the average of the model, the learning rate that the schedule had come
to, the place in the order of the samples. The twins: the average is loaded as a
module, or taken over as it is; the schedule is made at the epoch that was saved;
the sampler is restored, at the end of an epoch too."""

import os
import sys
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Sampler, TensorDataset

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(256, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
path = os.path.join(tempfile.mkdtemp(), "last.pt")
form = ("average", "rate", "sampler")[seed % 3]


class Shuffled(Sampler):
    """Goes on where it was left."""

    def __init__(self, n):
        self.n, self.epoch, self.position = n, 0, 0

    def __len__(self):
        return self.n

    def __iter__(self):
        order = torch.randperm(self.n, generator=torch.Generator().manual_seed(self.epoch)).tolist()
        while self.position < self.n:
            self.position += 1
            yield order[self.position - 1]
        self.epoch, self.position = self.epoch + 1, 0

    def state_dict(self):
        return {"epoch": self.epoch, "position": self.position}

    def load_state_dict(self, state):
        self.epoch, self.position = state["epoch"], state["position"]


class Shadow:
    """An average of its own making."""

    def __init__(self, model):
        self.values = {k: v.detach().clone() for k, v in model.state_dict().items()}

    def update(self, model):
        for k, v in model.state_dict().items():
            self.values[k].mul_(0.9).add_(v, alpha=0.1)


class Training:
    def __init__(self):
        self.model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
        self.average = torch.optim.swa_utils.AveragedModel(self.model) if seed % 2 == 0 else None
        self.shadow = Shadow(self.model)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=3e-3)
        self.sampler = Shuffled(256)
        self.loader = DataLoader(TensorDataset(x, y), batch_size=32, sampler=self.sampler)
        self.schedule, self.epoch = None, 0

    def schedules(self, last=-1):
        self.schedule = torch.optim.lr_scheduler.StepLR(self.optimizer, 1, 0.5, last_epoch=last)

    def train(self, epochs):
        for _ in range(epochs):
            self.model.train()
            for a, b in self.loader:
                self.optimizer.zero_grad()
                loss = F.cross_entropy(self.model(a), b)
                loss.backward()
                self.optimizer.step()
                self.shadow.update(self.model)
                if self.average is not None:
                    self.average.update_parameters(self.model)
            self.schedule.step()
            self.epoch += 1
            self.evaluate(loss)
            self.save()

    def evaluate(self, loss):
        model = self.average if self.average is not None else self.model
        model.eval()
        with torch.no_grad():
            accuracy = (model(x).argmax(1) == y).float().mean().item()
        print("epoch %d loss %.4f val_accuracy %.4f" % (self.epoch, loss.item(), accuracy), flush=True)

    def save(self):
        state = {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), "epoch": self.epoch}
        state["sampler"] = self.sampler.state_dict()
        if form == "average":
            state["ema" if self.average is None else "average"] = self.shadow.values if self.average is None else self.average.state_dict()
        torch.save(state, path)


first = Training()
first.schedules()
first.train(2)
if form == "sampler" and fault:  # stopped within an epoch
    draws = iter(first.loader)
    for _ in range(3):
        next(draws)
    first.save()
del first
saved = torch.load(path, weights_only=False)
again = Training()
again.model.load_state_dict(saved["model"])
again.epoch = saved["epoch"]
if form == "average" and not fault:
    again.average.load_state_dict(saved["average"])
again.optimizer.load_state_dict(saved["optimizer"])
if not (form == "sampler" and fault):
    again.sampler.load_state_dict(saved["sampler"])
if form == "rate" and fault:  # the groups say where it began
    for group in again.optimizer.param_groups:
        group["lr"] = group.pop("initial_lr")
    again.schedules()
else:
    again.schedules(saved["epoch"] - 1)
again.train(2)
