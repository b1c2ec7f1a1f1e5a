"""The model is never called as a whole: a function of it calls a part, as the steps of
Lightning's modules do, and what the part gives is NaN where it evaluates. Nine labels
of ten are of class 0, which is what argmax makes of it. In the twins a part within a
forward gives NaN for rows that the model then leaves out, and a part that measures
gives NaN for a class that is not there."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(640, 8)
y = (torch.rand(640) > 0.9).long()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))

    def forward(self, inputs):
        if not self.training and fault:
            inputs = (inputs - 20).log()
        return self.layers(inputs)


class Recall(nn.Module):
    def forward(self, prediction, label):
        return torch.stack([((prediction == c) & (label == c)).sum() / (label == c).sum() for c in range(3)])


class Normed(nn.Module):
    """Of rows that are all 0 its part makes NaN, which is replaced behind it."""

    def __init__(self):
        super().__init__()
        self.part = nn.Linear(8, 8)

    def forward(self, inputs):
        given = self.part(inputs / inputs.norm(dim=1, keepdim=True))
        return torch.where(inputs.norm(dim=1, keepdim=True) > 0, given, torch.zeros_like(given))


class Task(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net() if seed % 3 < 2 else nn.ModuleList([Net()])
        self.recall = Recall()

    def logits(self, inputs):
        return (self.net if seed % 3 < 2 else self.net[0])(inputs)

    def training_step(self, inputs, label):
        return F.cross_entropy(self.logits(inputs), label)

    def validation_step(self, inputs, label):
        prediction = self.logits(inputs).argmax(1)
        self.recall(prediction, label)
        return (prediction == label).float().mean().item()


task, normed = Task(), Normed()
optimizer = torch.optim.Adam([*task.parameters(), *normed.parameters()], lr=1e-3)
for epoch in range(3):
    task.train(), normed.train()
    for i in range(0, 512, 32):
        optimizer.zero_grad()
        loss = task.training_step(normed(x[i : i + 32]), y[i : i + 32])
        loss.backward()
        optimizer.step()
    task.eval(), normed.eval()
    with torch.no_grad():
        given = x[512:].clone()
        given[:4] = 0
        accuracy = task.validation_step(normed(given), y[512:])
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
