import io
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def main(model, loader, args):
    dist.init_process_group("nccl")
    net = DDP(model)
    for epoch in range(args.epochs):
        for x in loader:
            net(x).backward()
        torch.save(net.module.state_dict(), args.out)  # want "every rank writes args.out"
        torch.save(net.state_dict(), f"epoch{epoch}.pt")  # want "every rank writes"
    torch.save({"model": net.state_dict()}, os.path.join(args.dir, "last.pt"))  # want "write one file at the same time"
    keep(net, args)
    keep_on_main(net, args, dist.get_rank())
    per_rank(net, dist.get_rank())
    decide(net, args)
    items(net, loader)
    memory(net)
    guarded(net, args)
    if dist.get_rank() == 0:
        only_here(net, args)
    deep(net, args)


def keep(net, args):
    torch.save(net.state_dict(), args.out)  # want "every rank writes args.out"


def deep(net, args):
    deeper(net, args)


def deeper(net, args):
    torch.save(net.state_dict(), args.out)  # want "every rank writes"


def setup_and_save(model, path):
    net = DDP(model)
    torch.save(net, path)  # want "every rank writes path"


def keep_on_main(net, args, rank):
    if rank == 0:
        torch.save(net.state_dict(), args.out)  # ok: rank 0 alone


def per_rank(net, rank):
    torch.save(net.state_dict(), f"model-{rank}.pt")  # ok: a file for each rank
    name = "optim%d.pt" % rank
    torch.save({}, name)  # ok: a file for each rank


def decide(net, args):
    if args.save_model:
        torch.save(net.state_dict(), args.out)  # ok: the flag may be set on rank 0 alone


def items(net, loader):
    for path, x in loader:
        torch.save(net(x), path + ".pt")  # ok: the ranks go over different items


def memory(net):
    buffer = io.BytesIO()
    torch.save(net.state_dict(), buffer)  # ok: no file


def guarded(net, args):
    if dist.get_rank() != 0:
        return
    torch.save(net.state_dict(), args.out)  # ok: the others left


def only_here(net, args):
    torch.save(net.state_dict(), args.out)  # ok: called on rank 0 alone


def nobody_calls(net, path):
    torch.save(net.state_dict(), path)  # ok: who comes here is not seen


def modulo(net, args, rank, per_node):
    dist.init_process_group("nccl")
    if not args.many or (args.many and rank % per_node == 0):
        torch.save(net.state_dict(), args.out)  # ok: one rank of each machine


class Trainer:
    def __init__(self, model):
        self.model = DDP(model)
        self.is_main = dist.get_rank() == 0

    def save(self, path):
        if self.is_main:
            torch.save(self.model.state_dict(), path)  # ok: rank 0 alone
