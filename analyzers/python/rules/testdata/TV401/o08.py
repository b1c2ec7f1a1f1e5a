"""O08: a plain loop that never clears, and its twins."""

import torch
from torch import nn


def faulty(model, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    criterion = nn.CrossEntropyLoss()
    for _ in range(epochs):
        model.train()
        for x, y in loader:
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()  # want TV401 "cleared nowhere"


def accumulated(model, loader, epochs, window=4):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    criterion = nn.CrossEntropyLoss()
    for _ in range(epochs):
        for i, (x, y) in enumerate(loader):
            (criterion(model(x), y) / window).backward()
            if (i + 1) % window == 0:
                optimizer.step()  # ok: cleared at the border of the window
                optimizer.zero_grad()


def by_model(model, loader, optimizer, criterion):
    for x, y in loader:
        model.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()  # ok: the model clears


def by_hand(model, loader, optimizer, criterion):
    for x, y in loader:
        for p in model.parameters():
            p.grad = None
        criterion(model(x), y).backward()
        optimizer.step()  # ok: cleared by hand
