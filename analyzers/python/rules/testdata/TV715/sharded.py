import deepspeed
import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def fsdp(model, path):
    net = FSDP(model)
    if dist.get_rank() == 0:
        torch.save(net.state_dict(), path)  # want "rank 0 alone comes to net.state_dict, which all ranks have to call"


def engine(model, path, args):
    model_engine, _, _, _ = deepspeed.initialize(model=model, args=args)
    if args.local_rank == 0:
        model_engine.save_checkpoint(path)  # want "rank 0 alone comes to model_engine.save_checkpoint"


class Trainer:
    def __init__(self, model):
        self.engine, self.optimizer, _, _ = deepspeed.initialize(model=model)
        self.is_main = dist.get_rank() == 0

    def save(self, path):
        if self.is_main:
            self.engine.save_checkpoint(path)  # want "rank 0 alone"

    def save_all(self, path):
        self.engine.save_checkpoint(path)  # ok: all ranks


def gathered(model, path):
    net = FSDP(model)
    state = net.state_dict()  # ok: gathered by all
    if dist.get_rank() == 0:
        torch.save(state, path)


def replicated(model, path):
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)  # ok: what it is is not seen
