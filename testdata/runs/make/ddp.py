"""Two processes with gloo: mp.spawn and a file:// rendezvous.

    python ddp.py MODE

MODE: healthy; one (rank 1 fails in the second epoch); shared (both ranks print every
step to the launcher's stdout). Else rank logs go to rank0.log and rank1.log
(line-buffered), what the launcher says to stderr.
"""
import os
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def work(rank, world, mode, meet):
    if mode != "shared":
        sys.stdout = open(f"rank{rank}.log", "a", buffering=1)
    dist.init_process_group("gloo", init_method=meet, rank=rank, world_size=world)
    torch.manual_seed(0)
    x = torch.randn(512, 16)
    y = (x[:, :4].sum(1) > 0).long()
    model = DDP(nn.Linear(16, 2))
    opt = torch.optim.SGD(model.parameters(), lr=0.5)
    mine = slice(rank * 200, rank * 200 + 200)
    step = 0
    for epoch in range(1, 4):
        for i in range(0, 200, 20):
            step += 1
            loss = nn.functional.cross_entropy(model(x[mine][i : i + 20]), y[mine][i : i + 20])
            opt.zero_grad()
            loss.backward()
            opt.step()
            if mode == "shared" or step % 5 == 0:
                print(f"[rank{rank}]", f"epoch {epoch} step {step} loss {loss.item():.4f}")
            if mode == "one" and rank == 1 and step == 13:
                raise RuntimeError("shard 1 ended early")
        with torch.no_grad():
            right = (model.module(x[400:]).argmax(1) == y[400:]).sum()
        print(f"[rank{rank}] epoch {epoch} val_acc {right.item() / 112:.4f} (n=112)")
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["TORCH_SHOW_CPP_STACKTRACES"] = "0"
    meet = "file://" + tempfile.mktemp(dir=".").replace("./", os.getcwd() + "/")
    mp.spawn(work, (2, sys.argv[1], meet), nprocs=2)
