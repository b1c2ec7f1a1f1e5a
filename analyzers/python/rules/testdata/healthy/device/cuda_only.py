"""A trainer for CUDA that says so: without it the first line of work fails."""

import torch
import torch.distributed as dist


def train(model, loader, optimizer, rank):
    dist.init_process_group("nccl")
    torch.cuda.set_device(rank)
    model.cuda()
    model.train()
    for x, y in loader:
        x = x.cuda(non_blocking=True)
        y = y.cuda(non_blocking=True)
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
