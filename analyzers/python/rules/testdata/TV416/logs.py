import torch
import torch.nn.functional as F
from torch import nn


def pairs(chosen, rejected):
    loss = -torch.log(torch.sigmoid(chosen - rejected)).mean()  # want TV416 "logarithm of a sigmoid"
    return loss


def entropy_loss(logits):
    p = F.softmax(logits, dim=-1)
    return -(p * torch.log(p)).sum()  # want TV416 "logarithm of a softmax"


def method(out):
    neg_loss = -(1 - out.sigmoid()).log().mean()  # want TV416 "logsigmoid is exact"
    pos_loss = -out.sigmoid().log().mean()  # want TV416 "infinite"
    return neg_loss + pos_loss


class NSLoss(nn.Module):
    def forward(self, x, w):
        target = torch.log(torch.sigmoid(x @ w))  # want TV416 "sigmoid"
        noise = torch.log(1 - torch.softmax(x, dim=-1))  # want TV416 "log_softmax"
        return -(target + noise.sum()).mean()


def log_exp(chosen, rejected):
    loss = torch.log(1 + torch.exp(rejected - chosen)).mean()  # want TV416 "softplus"
    other_loss = ((rejected - chosen).exp() + 1).log().mean()  # want TV416 "exp overflows at 89"
    return loss + other_loss


def soft(chosen, rejected):
    loss = F.softplus(rejected - chosen).mean()  # ok: exact
    return loss


def merged(lse, block):
    return lse + torch.log(1 + torch.exp(block - lse))  # ok: no loss: one is the larger by construction


def healthy(chosen, rejected):
    loss = -F.logsigmoid(chosen - rejected).mean()  # ok: exact
    return loss


def epsilon(out):
    loss = -torch.log(torch.sigmoid(out) + 1e-6).mean()  # ok: kept from 0
    return loss


def clamped(out):
    loss = -torch.log(torch.sigmoid(out).clamp(min=1e-6)).mean()  # ok: kept from 0
    return loss


def shown(logits):
    return logits.softmax(-1).log()  # ok: no loss: a rank is all that is asked for


def other(x):
    loss = torch.log(x).sum()  # ok: what x is is not known
    return loss


def exact(logits):
    loss = -F.log_softmax(logits, dim=-1)  # ok: exact
    return loss


def numbers(metrics, loss):
    metrics.log({"loss": loss})  # ok: no logarithm


def plus_one(p):
    loss = torch.log(1 + torch.sigmoid(p))  # ok: never below 1
    return loss


def given(sigmoid, x):
    loss = torch.log(sigmoid(x))  # ok: a function that is handed over
    return loss


def mixed(a, b, first):
    p = torch.sigmoid(a)
    if first:
        p = b
    loss = torch.log(p)  # ok: it may be another one
    return loss
