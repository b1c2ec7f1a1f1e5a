"""A training goes on as it was, but for the numbers that it draws, its loss scale
or the order of its samples, all of which its file holds: as good a training, and
another one. It is a note. The twins restore them, or draw from a stream of their
own, which the file holds too."""

import os
import random
import sys
import tempfile

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(256, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
path = os.path.join(tempfile.mkdtemp(), "last.pt")
form = ("random", "scale", "order")[seed % 3]
own = random.Random(seed)


class Training:
    def __init__(self):
        self.model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 4))
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=3e-3)
        self.schedule = torch.optim.lr_scheduler.StepLR(self.optimizer, 1, 0.8)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=4)
        self.sampler = DistributedSampler(TensorDataset(x, y), num_replicas=1, rank=0)
        self.loader = DataLoader(TensorDataset(x, y), batch_size=32, sampler=self.sampler)

    def train(self, epochs):
        for epoch in epochs:
            self.model.train()
            if not (form == "order" and fault and epoch == 2):
                self.sampler.set_epoch(epoch)
            for a, b in self.loader:
                a = a + random.gauss(0, 0.01) + np.random.normal(0, 0.01) + own.gauss(0, 0.001)
                self.optimizer.zero_grad()
                loss = F.cross_entropy(self.model(a), b)
                self.scaler.scale(loss).backward()
                self.scaler.step(self.optimizer)
                self.scaler.update()
            self.schedule.step()
            self.model.eval()
            with torch.no_grad():
                accuracy = (self.model(x).argmax(1) == y).float().mean().item()
            print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
            state = {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), "epoch": epoch + 1}
            state["scaler"], state["schedule"] = self.scaler.state_dict(), self.schedule.state_dict()
            if form == "random" and fault or not fault:
                state["rng"] = {"torch": torch.get_rng_state(), "numpy": np.random.get_state(), "python": random.getstate()}
            state["noise"] = own.getstate()
            torch.save(state, path)


Training().train(range(2))
saved = torch.load(path, weights_only=False)
again = Training()
again.model.load_state_dict(saved["model"])
again.optimizer.load_state_dict(saved["optimizer"])
again.schedule.load_state_dict(saved["schedule"])
own.setstate(saved["noise"])
if not (form == "scale" and fault):
    again.scaler.load_state_dict(saved["scaler"])
if not fault:
    torch.set_rng_state(saved["rng"]["torch"])
    np.random.set_state(saved["rng"]["numpy"])
    random.setstate(saved["rng"]["python"])
again.train(range(2, 4))
