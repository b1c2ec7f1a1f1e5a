import torch
import torch.distributed as dist

dist.init_process_group("nccl")
device = "cuda" if torch.cuda.is_available() else "cpu"  # ok: without CUDA the line above fails


def train(loss):
    loss.backward()
