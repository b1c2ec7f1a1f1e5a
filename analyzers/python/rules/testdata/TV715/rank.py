import torch
import torch.distributed as dist
from accelerate import Accelerator

accelerator = Accelerator()


def barrier(rank, save):
    if rank == 0:
        save()
        dist.barrier()  # want "rank 0 alone comes to dist.barrier"


def reduce(loss, args):
    if args.local_rank in [-1, 0]:
        dist.all_reduce(loss)  # want "rank 0 alone comes to dist.all_reduce"
        print(loss)


def method(loss):
    if dist.get_rank() == 0:
        out = [torch.zeros_like(loss)]
        torch.distributed.all_gather(out, loss)  # want "waits until the timeout"


def others(args, load):
    if args.local_rank not in [-1, 0]:
        torch.distributed.barrier()  # want "every rank but 0 comes to torch.distributed.barrier"
    load()


def prepared(metric):
    if accelerator.is_main_process:
        accelerator.wait_for_everyone()  # want "rank 0 alone"
        print(accelerator.gather(metric))  # want "accelerator.gather"


def leaves_before(rank, x):
    if rank != 0:
        return
    dist.broadcast(x, 0)  # want "rank 0 alone comes to dist.broadcast"


def mean(x):
    dist.all_reduce(x)
    return x / dist.get_world_size()


def evaluate(model, loader):
    return mean(sum(model(x) for x in loader))


def main(model, loader, is_master):
    is_main = dist.get_rank() == 0
    if is_main:
        print(evaluate(model, loader))  # want "rank 0 alone comes to dist.all_reduce"


def all_ranks(rank, save):
    if rank == 0:
        save()
    dist.barrier()  # ok: every rank comes here


def both(rank, x):
    if rank == 0:
        dist.broadcast(x, 0)  # ok: the others join below
    else:
        dist.broadcast(x, 0)  # ok: rank 0 joins above


def first_downloads(rank, load):
    if rank != 0:
        dist.barrier()  # ok: rank 0 comes to the one below
    load()
    if rank == 0:
        dist.barrier()  # ok: the others came to the one above


def group(rank, x, rank_group):
    if rank == 0:
        dist.all_reduce(x, group=rank_group)  # ok: a group of its own


def own_loops(rank, master, worker, x):
    if rank == 0:
        dist.broadcast(x, 0)  # ok: the other branch may hold its part
    else:
        worker(x)


def wrapped(world_size, x):
    if world_size > 1:
        dist.all_reduce(x)  # ok: all ranks or none


def initialized(x):
    if dist.is_initialized():
        dist.all_reduce(x)  # ok: all ranks or none


def no_collective(rank, pool):
    if rank == 0:
        pool.barrier()  # ok: not of torch
        pool.broadcast("x")  # ok: not of torch


def point_to_point(rank, x):
    if rank == 0:
        dist.send(x, 1)  # ok: one to one
    elif rank == 1:
        dist.recv(x, 0)  # ok: one to one


def tensor_parallel(tp_rank, x):
    if tp_rank == 0:
        dist.all_reduce(x)  # ok: which ranks these are is not said


def logged(loss):
    dist.all_reduce(loss)  # ok: reduced by all, printed by one
    if dist.get_rank() == 0:
        print(loss)


def local(accelerator, metric, rows):
    values = accelerator.gather_for_metrics(metric)  # ok: gathered by all
    if accelerator.is_main_process:
        rows.append(values)


def strategy(trainer):
    if trainer.is_global_zero:
        trainer.strategy.barrier()  # want "rank 0 alone comes to trainer.strategy.barrier"
