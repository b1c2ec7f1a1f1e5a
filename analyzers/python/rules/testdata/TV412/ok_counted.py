import torch


def by_name(model):
    for name, param in model.named_parameters():
        if "adapter" not in name:
            param.requires_grad = False  # ok: counted below, and the optimizer holds what is trained
    trained = [p for p in model.parameters() if p.requires_grad]
    print(sum(p.numel() for p in trained))
    return torch.optim.Adam(trained, lr=1e-3)


def whole(model):
    return torch.optim.Adam(model.parameters())
