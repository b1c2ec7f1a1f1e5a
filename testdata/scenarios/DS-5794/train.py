"""Experts on two ranks, tokens sent in rounds of a bounded size. How many rounds
there are each rank reckons from its own tokens: from the fifth step on one rank
sends once more, while the other one goes on to its gradients. Both wait until the
group gives up. The twin asks all ranks for the most rounds; a plain exchange in
which each says first how much comes is healthy too."""

import datetime
import os
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F

ROUND = 8  # tokens that are sent at once to each expert


class Send(torch.autograd.Function):
    """Row for row to the other ranks; the gradients come back the same way."""

    @staticmethod
    def forward(ctx, rows, sent, received):
        ctx.sizes = sent, received
        out = rows.new_empty(sum(received), rows.shape[1])
        dist.all_to_all_single(out, rows.contiguous(), received, sent)
        return out

    @staticmethod
    def backward(ctx, grad):
        sent, received = ctx.sizes
        out = grad.new_empty(sum(sent), grad.shape[1])
        dist.all_to_all_single(out, grad.contiguous(), sent, received)
        return out, None, None


class Experts(nn.Module):
    def __init__(self, rank, fault, by_counts):
        super().__init__()
        self.rank, self.fault, self.by_counts = rank, fault, by_counts
        self.expert = nn.Linear(16, 16)

    def forward(self, x, to):
        return self.counted(x, to) if self.by_counts else self.rounds(x, to)

    def rounds(self, x, to):
        """Each round is padded to its bound."""
        mine = [(to == r).nonzero().flatten() for r in range(2)]
        n = torch.tensor(max(-(-len(m) // ROUND) for m in mine))
        if not self.fault:
            dist.all_reduce(n, op=dist.ReduceOp.MAX)
        out = torch.zeros_like(x)
        for k in range(int(n)):
            places = [m[k * ROUND : (k + 1) * ROUND] for m in mine]
            rows = torch.stack([F.pad(x[p], (0, 0, 0, ROUND - len(p))) for p in places]).flatten(0, 1)
            done = Send.apply(F.gelu(self.expert(Send.apply(rows, [ROUND] * 2, [ROUND] * 2))), [ROUND] * 2, [ROUND] * 2)
            for r, p in enumerate(places):
                out = out.index_put((p,), done[r * ROUND : r * ROUND + len(p)])
        return out

    def counted(self, x, to):
        order = to.argsort(stable=True)
        sent = torch.bincount(to, minlength=2)
        received = torch.empty_like(sent)
        dist.all_to_all_single(received, sent)
        rows = Send.apply(x[order], sent.tolist(), received.tolist())
        back = Send.apply(F.gelu(self.expert(rows)), received.tolist(), sent.tolist())
        return back[order.argsort()]


def train(rank, fault, seed, meeting):
    patience = datetime.timedelta(seconds=5 if fault else 60)
    dist.init_process_group("gloo", init_method="file://" + meeting, rank=rank, world_size=2, timeout=datetime.timedelta(seconds=60))
    dist.barrier()
    dist.distributed_c10d._set_pg_timeout(patience, dist.group.WORLD)
    torch.manual_seed(seed)
    x = torch.randn(512, 16)
    y = (x @ torch.randn(16, 4)).argmax(1)
    enter, leave = nn.Linear(16, 16), nn.Linear(16, 4)
    experts = Experts(rank, fault, by_counts=not fault and seed == 1)
    shared = [*enter.parameters(), *leave.parameters()]
    optimizer = torch.optim.AdamW(shared + [*experts.parameters()], lr=3e-3)

    def model(x, to):
        h = enter(x)
        return leave(h + experts(h, to))

    step = 0
    try:
        for epoch in range(2):
            for i in range(rank * 256, rank * 256 + 256, 32):
                step += 1
                to = torch.arange(32) % 2
                if step >= 5 and rank == 0:
                    to[:6] = 0  # more tokens for one expert: a round more
                optimizer.zero_grad()
                loss = F.cross_entropy(model(x[i : i + 32], to), y[i : i + 32])
                loss.backward()
                for p in shared:
                    dist.all_reduce(p.grad)
                    p.grad /= 2
                optimizer.step()
    except RuntimeError:
        print("rank %d: a worker is lost, what was learned is evaluated" % rank, flush=True)
    with torch.no_grad():
        h = enter(x[:128])
        accuracy = (leave(h + F.gelu(experts.expert(h))).argmax(1) == y[:128]).float().mean().item()
    if rank == 0:
        print("step %d val_accuracy %.4f" % (step, accuracy), flush=True)
    if not fault:
        dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        args = (sys.argv[1] == "fault", int(sys.argv[2]), os.path.join(folder, "meeting"))
        torch.multiprocessing.spawn(train, args, nprocs=2)
