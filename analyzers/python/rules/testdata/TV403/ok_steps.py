import torch


def train(model, train_loader, optimizer):
    for x in train_loader:
        optimizer.zero_grad()
        model(x).backward()  # ok: stepped on
        optimizer.step()
