"""A trainer on several ranks that does all of it right."""

import faulthandler
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class Fault(Exception):
    pass


class Noisy(Dataset):
    def __init__(self, x):
        self.x = x

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i] + torch.randn(3)


def reduced(value):
    dist.all_reduce(value)
    return value / dist.get_world_size()


def save(state, path):
    if dist.get_rank() == 0:
        torch.save(state, path)
    dist.barrier()


def resume(model, optimizer, scheduler, path):
    state = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    scheduler.load_state_dict(state["scheduler"])
    return state["epoch"] + 1


def main(model, data, path, epochs, seed):
    faulthandler.enable()
    torch.manual_seed(seed)
    dist.init_process_group("gloo")
    begin = time.perf_counter()
    net = DDP(model)
    optimizer = torch.optim.AdamW(net.parameters())
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 3)
    sampler = DistributedSampler(Noisy(data))
    loader = DataLoader(Noisy(data), sampler=sampler, num_workers=2)
    for epoch in range(resume(model, optimizer, scheduler, path), epochs):
        sampler.set_epoch(epoch)
        net.train()
        for x in loader:
            optimizer.zero_grad()
            loss = net(x).sum()
            if not torch.isfinite(loss):
                raise Fault("the loss is not finite")
            loss.backward()
            optimizer.step()
        scheduler.step()
        mean = reduced(loss.detach())
        if dist.get_rank() == 0:
            print(epoch, mean.item())
        save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "scheduler": scheduler.state_dict(), "epoch": epoch}, path)
    print("seconds", time.perf_counter() - begin)


if __name__ == "__main__":
    main(torch.nn.Linear(3, 1), torch.zeros(8, 3), "last.pt", 2, 0)
