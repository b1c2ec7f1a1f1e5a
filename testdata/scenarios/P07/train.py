"""A probe within the training puts the network in a module to sleep, and the module
around it says train() at the next epoch only. The twins: the probe wakes it again;
the network is put to sleep right behind train(), in each epoch, so that its batch
norm holds; the batch norm alone is put to sleep within an epoch."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(384, 16)
y = (x @ torch.randn(16, 4)).argmax(1)


class Task(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(16, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 4))

    def forward(self, x, y):
        return F.cross_entropy(self.net(x), y)

    def probe(self):
        self.net.eval()
        with torch.no_grad():
            sure = self.net(x[:32]).softmax(1).amax(1).mean().item()
        if not fault:
            self.net.train()
        return sure


task = Task()
optimizer = (torch.optim.RMSprop, torch.optim.NAdam, torch.optim.SGD)[seed % 3](task.parameters(), lr=1e-3)
for epoch in range(3):
    task.train()
    if not fault and seed % 3 == 1:
        task.net.eval()
    for i in range(0, 256, 16):
        optimizer.zero_grad()
        loss = task(x[i : i + 16], y[i : i + 16])
        loss.backward()
        optimizer.step()
        if i == 48 and (fault or seed % 3 == 0):
            print("sure %.3f" % task.probe())
        elif i == 48 and seed % 3 == 2:
            task.net[1].eval()
    task.eval()
    with torch.no_grad():
        accuracy = (task.net(x[256:]).argmax(1) == y[256:]).float().mean().item()
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
