"""O10: a loss that is wrapped again, and its twins."""

import torch


def faulty(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        torch.tensor(loss.item(), requires_grad=True).backward()  # want TV413 "no parameter gets a gradient"
        optimizer.step()


def logged(model, loader, criterion, optimizer):
    seen = []
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()  # ok: item() is for the log
        optimizer.step()
        seen.append(loss.item())
    return torch.tensor(seen)


def auxiliary(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        out, aux = model(x)
        loss = criterion(out, y) + 0.1 * aux.detach()
        loss.backward()  # ok: the second loss is detached by design
        optimizer.step()
