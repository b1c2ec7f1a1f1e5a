import torch

from networks import *


def fit(loader):
    model = Clearing()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        loss = model(x, y)
        loss.backward()
        optimizer.step()  # ok: the model's forward clears them


def fit_summed(loader):
    model = Plain()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        loss = model(x, y)
        loss.backward()
        optimizer.step()  # want TV401 "cleared nowhere in this loop"
