"""O11: all but the norms frozen by a pattern; the optimizer gets everything."""

import torch


def faulty(model, loader, criterion):
    for name, param in model.named_parameters():
        if "bn" not in name:
            param.requires_grad = False  # want TV412 "nothing counts what is left"
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
