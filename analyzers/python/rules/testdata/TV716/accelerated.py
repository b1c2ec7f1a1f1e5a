import torch
import torch.distributed as dist
from accelerate import Accelerator


def main(model, path):
    dist.init_process_group("nccl")
    accelerator = Accelerator()
    torch.save(accelerator.unwrap_model(model).state_dict(), path)  # ok: looked at by its own rules
