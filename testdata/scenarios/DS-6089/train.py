"""Experts on two ranks with a capacity, which each rank reckons from its own number
of tokens: one sends three rows where the other one has room for four, and what lies
in the fourth is whatever was there. Nothing fails. The twin agrees on one capacity;
rows that are fewer on purpose and said beforehand are healthy too."""

import os
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F


def exchange(rows, sent, received):
    out = torch.full((sum(received), rows.shape[1]), 0.1)
    dist.all_to_all_single(out, rows.contiguous(), received, sent)
    return out


class Exchange(torch.autograd.Function):
    @staticmethod
    def forward(ctx, rows, sent, received):
        ctx.sizes = sent, received
        return exchange(rows, sent, received)

    @staticmethod
    def backward(ctx, grad):
        sent, received = ctx.sizes
        return exchange(grad, received, received)[: sum(sent)], None, None


def train(rank, fault, seed, meeting):
    dist.init_process_group("gloo", init_method="file://" + meeting, rank=rank, world_size=2)
    torch.manual_seed(seed)
    x = torch.randn(512, 16)
    y = (x @ torch.randn(16, 4)).argmax(1)
    enter, leave, expert = nn.Linear(16, 16), nn.Linear(16, 4), nn.Linear(16, 16)
    shared = [*enter.parameters(), *leave.parameters()]
    optimizer = torch.optim.AdamW(shared + [*expert.parameters()], lr=3e-3)
    room = 4
    for epoch in range(2):
        for i in range(rank * 256, rank * 256 + 256, 32):
            optimizer.zero_grad()
            h = enter(x[i : i + 32])
            own = 3 if rank == 0 else 4  # by the tokens of this rank
            if fault:
                sent = [room, own] if rank == 0 else [room, room]
                received = [room, room]
            elif seed == 2:
                counts = torch.tensor([room, own] if rank == 0 else [own - 1, room])
                theirs = torch.empty_like(counts)
                dist.all_to_all_single(theirs, counts)
                sent, received = counts.tolist(), theirs.tolist()
            else:
                capacity = torch.tensor(own)
                dist.all_reduce(capacity, op=dist.ReduceOp.MAX)
                sent = received = [int(capacity)] * 2
            apart = seed == 2 and not fault  # each way has sizes of its own: what comes back is not trained
            rows = exchange(h[: sum(sent)].detach(), sent, received) if apart else Exchange.apply(h[: sum(sent)], sent, received)
            aux = F.gelu(expert(rows)).square().mean()
            loss = F.cross_entropy(leave(h + F.gelu(expert(h))), y[i : i + 32]) + 0.01 * aux
            loss.backward()
            for p in shared:
                dist.all_reduce(p.grad)
                p.grad /= 2
            optimizer.step()
        with torch.no_grad():
            h = enter(x[:128])
            accuracy = (leave(h + F.gelu(expert(h))).argmax(1) == y[:128]).float().mean().item()
        if rank == 0:
            print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        args = (sys.argv[1] == "fault", int(sys.argv[2]), os.path.join(folder, "meeting"))
        torch.multiprocessing.spawn(train, args, nprocs=2)
