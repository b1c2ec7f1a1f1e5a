"""A wrapped model is converted and back: the module gets new parameters, the wrapper
averages the old ones. The twins convert before they wrap, or in place."""

import os
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


def train(rank, fault, seed, meeting):
    dist.init_process_group("gloo", init_method="file://" + meeting, rank=rank, world_size=2)
    torch.manual_seed(seed)
    x = torch.randn(512, 16)
    y = (x @ torch.randn(16, 4)).argmax(1)
    net = nn.Sequential(nn.Linear(16, 32), nn.Tanh(), nn.Linear(32, 4))
    torch.__future__.set_overwrite_module_params_on_conversion(fault or seed == 0)
    if not fault:
        net = net.double().float()
    model = DistributedDataParallel(net)
    if fault:
        model = model.double().float()  # new parameters in the module
    elif seed == 1:
        model = model.double().float()  # new numbers in the same parameters
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(2):
        model.train()
        for i in range(rank * 256, rank * 256 + 256, 32):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
            loss.backward()
            if not fault and seed == 1:
                for p in model.parameters():
                    dist.all_reduce(p.grad)
            optimizer.step()
        with torch.no_grad():
            accuracy = (net(x[:128]).argmax(1) == y[:128]).float().mean().item()
        if rank == 0:
            print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        args = (sys.argv[1] == "fault", int(sys.argv[2]), os.path.join(folder, "meeting"))
        torch.multiprocessing.spawn(train, args, nprocs=2)
