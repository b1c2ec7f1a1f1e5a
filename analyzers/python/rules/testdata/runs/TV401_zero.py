"""Never cleared, the third step follows the sum of three gradients."""

import torch


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    for x in loader:
        loss = model(x)
        loss.backward()
        optimizer.step()


model = torch.Model()
train(model, [0.25, 0.25, 0.25])
assert abs(model.weights[0].value - 0.25) < 1e-6, model.weights[0].value
