"""Each process evaluates its share, cut to the size of the split, and the counts are summed."""

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, Subset


@torch.inference_mode()
def evaluate(model, val_set, rank, world, device):
    was_training = model.training
    model.eval()
    loader = DataLoader(Subset(val_set, range(rank, len(val_set), world)), batch_size=32)
    sums = torch.zeros(2, device=device)
    for x, y in loader:
        out = model(x.to(device))
        sums[0] += (out.argmax(dim=-1) == y.to(device)).sum()
        sums[1] += len(y)
    dist.all_reduce(sums)
    model.train(was_training)
    if sums[1] == 0:
        raise ValueError("nothing to evaluate")
    return (sums[0] / sums[1]).item()


def train(model, loader, val_set, optimizer, rank, world, device, epochs):
    model.train()
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad(set_to_none=True)
            nn.functional.cross_entropy(model(x.to(device)), y.to(device)).backward()
            optimizer.step()
        val_acc = evaluate(model, val_set, rank, world, device)
        if rank == 0:
            print(f"epoch {epoch}: {val_acc:.4f} of {len(val_set)}")
