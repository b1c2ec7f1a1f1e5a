import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def accumulated(model, loader, optimizer, every):
    fsdp_model = FSDP(model)
    for i, (x, t) in enumerate(loader):
        loss = torch.nn.functional.cross_entropy(fsdp_model(x), t)
        loss.backward()
        if i % every == 0:
            torch.nn.utils.clip_grad_norm_(fsdp_model.parameters(), 0.1)  # want TV414 "the norm of one rank"
            optimizer.step()
            optimizer.zero_grad()


def its_own(model, loader, optimizer):
    fsdp_model = FSDP(model)
    for x, t in loader:
        torch.nn.functional.cross_entropy(fsdp_model(x), t).backward()
        fsdp_model.clip_grad_norm_(0.1)  # ok: the method of the wrapper sums over the ranks
        optimizer.step()
        optimizer.zero_grad()


def where_it_has_none(model, loader, optimizer):
    fsdp_model = FSDP(model)
    for x, t in loader:
        torch.nn.functional.cross_entropy(fsdp_model(x), t).backward()
        if hasattr(fsdp_model, "clip_grad_norm_"):
            fsdp_model.clip_grad_norm_(1.0)
        else:
            torch.nn.utils.clip_grad_norm_(fsdp_model.parameters(), 1.0)  # ok: the wrapper has its own, this is not reached
        optimizer.step()
        optimizer.zero_grad()
