"""A gradient of 1e-8 is zero in float16."""

import torch


def train(model, optimizer, loader):
    for x in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = model(x)
        loss.backward()
        optimizer.step()


model = torch.Model()
train(model, torch.optim.SGD(model.parameters(), lr=1e8), [1e-8])
assert abs(model.weights[0].value) < 1e-6, model.weights[0].value
