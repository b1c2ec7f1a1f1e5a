import torch
from torch import nn
from torch.autograd import Variable


class EnergyLoss(nn.Module):
    def forward(self, x, x_hat):
        loss = torch.mean((x - x_hat).pow(2))
        return Variable(loss, requires_grad=True)  # want TV413 "whoever calls"


class Dice(nn.Module):
    def forward(self, x, y):
        loss = 1 - (x * y).sum()
        return torch.tensor(loss, requires_grad=True)  # want TV413 "without a graph"


class Nothing(nn.Module):
    def forward(self, x):
        if len(x) == 0:
            return torch.tensor(0.0, requires_grad=True)  # ok: the loss of nothing
        return x.mean()


def perturbation(x):
    return Variable(x, requires_grad=True)  # ok: no loss


def shown(loss):
    return Variable(loss)  # ok: no gradient is asked for


class Trainer:
    def compute_loss(self, model, inputs, return_outputs=False):
        out = model(**inputs)
        loss = torch.tensor(out.loss.item(), requires_grad=True)  # want TV413 "whoever calls"
        return (loss, out) if return_outputs else loss

    def training_loss(self, model, inputs):
        loss = model(**inputs).loss.detach()
        loss.requires_grad = True  # want TV413 "raises"
        return loss

    def direct_loss(self, x, y):
        loss = self.loss_fn(self.model(x), y)
        return torch.tensor(loss.item(), requires_grad=True)  # want TV413 "without a graph"

    def evaluation_loss(self, model, inputs):
        loss = model(**inputs).loss.detach()
        return loss  # ok: no gradient is asked for
