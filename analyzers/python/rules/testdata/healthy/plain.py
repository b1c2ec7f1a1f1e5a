"""A plain trainer that does all of it right."""

import math

import torch
from torch import nn


class Fault(Exception):
    pass


def train(model, loader, val_loader, optimizer, scheduler, epochs):
    for epoch in range(epochs):
        model.train()
        for batch, target in loader:
            optimizer.zero_grad(set_to_none=True)
            loss = nn.functional.cross_entropy(model(batch), target)
            if not math.isfinite(loss.item()):
                raise Fault("the loss is not finite")
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        scheduler.step()
        print(epoch, evaluate(model, val_loader))


@torch.inference_mode()
def evaluate(model, loader):
    model.eval()
    right = count = 0
    for batch, target in loader:
        right += (model(batch).argmax(dim=-1) == target).sum().item()
        count += len(target)
    if count == 0:
        raise Fault("nothing to evaluate")
    return right / count
