import torch.nn.functional as F
from torch import nn

criterion = nn.MSELoss()


def loss(logits, y, image, target):
    a = F.mse_loss(logits.softmax(-1), F.one_hot(y, 10).float())  # want TV512 "classes are learnt by their squared distance"
    hot = F.one_hot(y, 10)
    b = criterion(logits, hot)  # want TV512 "squared distance"
    c = F.mse_loss(image, target)  # ok: no classes
    d = criterion(image, target)  # ok: no classes
    e = F.cross_entropy(logits, y)  # ok: what classes are learnt by
    return a, b, c, d, e
