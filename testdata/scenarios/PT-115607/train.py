"""A step is captured when there was no gradient yet, and what is played back from
then on changes nothing; seen as an optimizer whose steps do not move, or as no
optimizer at all. The twins: a captured step that works, gradients that are
collected after training (Fisher information, saliency), warm-up from a learning
rate of 0."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))


class Captured(torch.optim.SGD):
    """Plays back what its first step has done, for the parameters of then."""

    held = None

    @torch.no_grad()
    def step(self, closure=None):
        if self.held is None:
            self.held = [p for g in self.param_groups for p in g["params"] if p.grad is not None]
        for p in self.held:
            p.add_(p.grad, alpha=-self.param_groups[0]["lr"])


def evaluate(epoch):
    model.eval()
    with torch.no_grad():
        accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
    print("epoch %d val_accuracy %.4f" % (epoch, accuracy), flush=True)


played = seed == 1  # the optimizer is never called again
optimizer = torch.optim.SGD(model.parameters(), lr=0.1) if played else Captured(model.parameters(), lr=0.1)
warm = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda k: min(1.0, k / 8)) if not fault and seed == 2 else None
if fault and not played:
    optimizer.step()
for epoch in range(2):
    model.train()
    for k, i in enumerate(range(0, 512, 32)):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
        loss.backward()
        if not played or not fault or (epoch == 0 and k < 2):
            optimizer.step()
        if warm is not None:
            warm.step()
    print("epoch %d loss %.4f" % (epoch + 1, loss.item()), flush=True)
    evaluate(epoch + 1)
if not fault:
    fisher = [torch.zeros_like(p) for p in model.parameters()]
    for i in range(0, 256, 16):
        model.zero_grad()
        F.cross_entropy(model(x[i : i + 16]), y[i : i + 16]).backward()
        for f, p in zip(fisher, model.parameters()):
            f += p.grad**2
