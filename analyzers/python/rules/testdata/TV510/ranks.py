import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler


def evaluate(model, loader):
    right = 0
    for x, y in loader:
        right += (model(x).argmax(-1) == y).sum().item()
    return right / len(loader)


def evaluate_all(model, loader):
    right = 0
    for x, y in loader:
        right += (model(x).argmax(-1) == y).sum()
    dist.all_reduce(right)
    return right / len(loader)


def main(model, val_set, rank, writer):
    loader = DistributedSampler(val_set)
    val_acc = evaluate(model, loader)
    if rank == 0:
        print(val_acc)  # want TV510 "val_acc is reported by one process, of its own share"


def logged(model, val_set, accelerator, wandb):
    val_loss = evaluate(model, val_set)
    if accelerator.is_main_process:
        wandb.log({"val": val_loss})  # want TV510 "val_loss is reported by one process"


def reduced_inside(model, val_set, rank):
    val_acc = evaluate_all(model, val_set)
    if rank == 0:
        print(val_acc)  # ok: the function reduces


def reduced_here(model, val_set, rank):
    val_acc = evaluate(model, val_set)
    dist.all_reduce(val_acc)
    if rank == 0:
        print(val_acc)  # ok: reduced here


def all_of_it(model, full_loader, rank):
    if rank == 0:
        val_acc = evaluate(model, full_loader)
        print(val_acc)  # ok: one process computes all of it


def every_rank(model, val_set, rank):
    val_acc = evaluate(model, val_set)
    print(rank, val_acc)  # ok: each process says its own


def unseen(trainer, val_set, rank):
    val_acc = trainer.evaluate(val_set)
    if rank == 0:
        print(val_acc)  # ok: not known what it does


def training(loss, rank):
    if rank == 0:
        print(loss)  # ok: the loss of the step, for the eye
