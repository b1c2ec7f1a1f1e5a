import torch
from torch.autograd import Variable


def evaluate(model, test_loader):
    total = 0
    for x in test_loader:
        total += model(Variable(x, volatile=True)).data[0]  # ok: as torch switched gradients off before 0.4
    return total
