import torch


def frozen(model, teacher):
    for p in teacher.parameters():
        p.requires_grad = False  # ok: all of it
    for name, p in teacher.named_parameters():
        p.requires_grad = False  # ok: whatever its name
    for name, p in teacher.named_parameters():
        if "bias" in name:
            p.requires_grad = False  # ok: the optimizer does not hold this model
    return torch.optim.Adam(model.parameters())
