import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        x = F.relu(self.fc(x))
        return F.softmax(x, dim=1)


class Named(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.softmax = nn.Softmax(dim=1)

    def forward(self, x):
        out = self.fc(x)
        out = self.softmax(out)
        return out


class Sometimes(nn.Module):
    def forward(self, x):
        x = self.fc(x)
        if self.training:
            return x
        return F.softmax(x, dim=1)


class Logits(nn.Module):
    def forward(self, x):
        weights = F.softmax(self.gate(x), dim=1)
        return self.fc(x) * weights


def train(loader, device):
    model = Net().to(device)
    criterion = nn.CrossEntropyLoss()
    for x, y in loader:
        loss = criterion(model(x), y)  # want TV408 "takes the softmax itself"
        loss.backward()


def train_named(loader):
    net = Named()
    criterion = nn.CrossEntropyLoss()
    for x, y in loader:
        out = net(x)
        loss = criterion(out, y)  # want TV408 "softmax"
        loss.backward()


def train_sequential(loader):
    net = nn.Sequential(nn.Linear(3, 3), nn.Softmax(dim=1))
    for x, y in loader:
        F.cross_entropy(net(x), y).backward()  # want TV408 "softmax"


def train_others(loader):
    sometimes, logits = Sometimes(), Logits()
    one = Sometimes()
    two = Logits()
    criterion = nn.CrossEntropyLoss()
    for x, y in loader:
        criterion(one(x), y).backward()  # ok: for evaluation alone
        criterion(two(x), y).backward()  # ok: weights of its own
        nn.functional.nll_loss(torch.log(Net()(x)), y).backward()  # ok: it takes logarithms
    return sometimes, logits


def two_of_one_name(model, x, y):
    criterion = nn.BCEWithLogitsLoss()
    return criterion(torch.softmax(model(x), dim=-1), y)  # ok: another criterion of that name takes a softmax
