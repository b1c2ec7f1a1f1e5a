"""Two processes over gloo: samplers that are told the epoch, a wrapped model, counts that
are summed over the ranks, a checkpoint by the first."""

import os
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

seed, compiled = int(sys.argv[1]), sys.argv[2:] == ["compile"]


def train(rank, world, meeting):
    dist.init_process_group("gloo", init_method="file://" + meeting, rank=rank, world_size=world)
    torch.manual_seed(seed)
    x = torch.randn(1280, 16)
    y = (x @ torch.randn(16, 4)).argmax(1)
    train_set, val_set = TensorDataset(x[:1024], y[:1024]), TensorDataset(x[1024:], y[1024:])
    sampler = DistributedSampler(train_set, shuffle=True, seed=seed)
    train_loader = DataLoader(train_set, batch_size=32, sampler=sampler)
    val_loader = DataLoader(val_set, batch_size=64, sampler=DistributedSampler(val_set, shuffle=False))
    net = nn.Sequential(nn.Linear(16, 64), nn.LayerNorm(64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 4))
    model = DistributedDataParallel(net)
    if compiled:
        model = torch.compile(model, backend="aot_eager")
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for epoch in range(1, 4):
        sampler.set_epoch(epoch)
        model.train()
        for inputs, labels in train_loader:
            optimizer.zero_grad()
            F.cross_entropy(model(inputs), labels).backward()
            optimizer.step()
        model.eval()
        counts = torch.zeros(3)
        with torch.no_grad():
            for inputs, labels in val_loader:
                out = model(inputs)
                counts += torch.stack([F.cross_entropy(out, labels, reduction="sum"), (out.argmax(1) == labels).sum(), torch.tensor(float(len(labels)))])
        dist.all_reduce(counts)
        if rank == 0:
            loss, correct, n = counts.tolist()
            print("epoch %d val_loss = %.4f val_accuracy = %.4f" % (epoch, loss / n, correct / n), flush=True)
            torch.save(net.state_dict(), os.path.join(os.path.dirname(meeting), "model-%d.pt" % epoch))
        dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ.setdefault("MASTER_ADDR", "localhost")
    mp.spawn(train, args=(2, os.path.join(tempfile.mkdtemp(), "meeting")), nprocs=2)
