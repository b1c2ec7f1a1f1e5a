import torch


class Tuner:  # O11, by a condition
    def __init__(self, net, keys):
        self.net = net
        for name, weight in net.named_parameters():
            weight.requires_grad_(any(k in name for k in keys))  # want TV412 "parts of their names"
        self.opt = torch.optim.AdamW(net.parameters(), lr=1e-4)


def assigned(mlp):
    for name, weight in mlp.named_parameters():
        weight.requires_grad = "head" in name  # want TV412 "nothing counts what is left"
    return torch.optim.AdamW(mlp.parameters(), lr=1e-4)


def of_a_kind(cnn):
    for name, weight in cnn.named_parameters():
        weight.requires_grad_(weight.ndim > 1)  # ok: no name decides
    return torch.optim.AdamW(cnn.parameters(), lr=1e-4)


def head_alone(vit):
    for name, weight in vit.named_parameters():
        weight.requires_grad = "head" in name  # ok: the optimizer is given the head
    return torch.optim.AdamW(vit.head.parameters(), lr=1e-4)
