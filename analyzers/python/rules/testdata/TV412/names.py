import torch


def by_name(model):
    for name, param in model.named_parameters():
        if "bn" not in name:
            param.requires_grad = False  # want TV412 "parts of their names"
    return torch.optim.Adam(model.parameters(), lr=1e-3)


def start(net):
    for n, p in net.named_parameters():
        if not n.startswith("classifier"):
            p.requires_grad = False  # want TV412 "nothing counts"
    return torch.optim.SGD(net.parameters(), lr=0.1)
