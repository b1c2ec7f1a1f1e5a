import torch
from torch import nn

plain_net = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
noisy_net = nn.Sequential(nn.Linear(2, 8), nn.Dropout(0.5), nn.Linear(8, 1))


def evaluate(test_loader):
    correct = total = 0
    with torch.no_grad():
        for x, y in test_loader:
            correct += (plain_net(x).argmax(-1) == y).sum().item()  # ok: it gives the same in either mode
            total += len(y)
    return correct / total


def evaluate_noisy(test_loader):
    correct = total = 0
    with torch.no_grad():
        for x, y in test_loader:
            correct += (noisy_net(x).argmax(-1) == y).sum().item()  # want TV501 "without eval"
            total += len(y)
    return correct / total
