import torch
import torch.nn.functional as F
from torch import nn


def twice(logits, y):
    return F.cross_entropy(F.softmax(logits, dim=-1), y)  # want TV408 "takes the softmax itself"


def named(model, x, y):
    probs = torch.softmax(model(x), dim=-1)
    return F.cross_entropy(probs, y)  # want TV408 "softmax"


def module(model, x, y):
    criterion = nn.CrossEntropyLoss()
    return criterion(model(x).softmax(-1), y)  # want TV408 "softmax"


def binary(model, x, y):
    return F.binary_cross_entropy_with_logits(torch.sigmoid(model(x)), y)  # want TV408 "sigmoid"


def healthy(logits, y):
    print(F.softmax(logits, dim=-1))
    return F.cross_entropy(logits, y)  # ok: logits


def targets(logits, teacher):
    return F.cross_entropy(logits, F.softmax(teacher, dim=-1))  # ok: soft targets


def logs(logits, y):
    return F.cross_entropy(F.log_softmax(logits, dim=-1), y)  # ok: the same twice over


def plain(logits, y):
    return F.binary_cross_entropy(torch.sigmoid(logits), y)  # ok: this one takes probabilities
