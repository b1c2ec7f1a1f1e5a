"""After the first epoch the parts of a model are put to sleep, and stay so. The
twin freezes its backbone and puts that to sleep, trains a head beside a model
that sleeps, or fits the temperature of a model that is trained."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 16)
y = (x @ torch.randn(16, 4)).argmax(1)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(16, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 32))
        self.head = nn.Linear(32, 4)

    def forward(self, batch):
        return self.head(self.backbone(batch))


def train(optimizer):
    for i in range(0, 512, 32):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
        loss.backward()
        optimizer.step()


model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(3):
    if epoch == 0 or not fault:
        model.train()
    if not fault and epoch and seed == 0:  # frozen, though its optimizer holds all
        model.backbone.requires_grad_(False).eval()
    if not fault and epoch and seed == 1:
        model.backbone.requires_grad_(False)
        model.eval()
        model.head.train()
    train(optimizer)
    for part in (model.children() if fault else [model]):
        part.eval()
    model.eval()
    with torch.no_grad():
        accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
    print("epoch %d val_accuracy %.4f" % (epoch + 1, accuracy), flush=True)

if not fault and seed == 2:
    temperature = nn.Parameter(torch.ones(1))
    fit = torch.optim.LBFGS([temperature], lr=0.1, max_iter=10)

    def closure():
        fit.zero_grad()
        loss = F.cross_entropy(model(x[:128]) / temperature, y[:128])
        loss.backward()
        return loss

    for _ in range(3):
        fit.step(closure)
