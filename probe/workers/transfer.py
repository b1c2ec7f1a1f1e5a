"""Sends known content to a device and back, and between processes."""

import os
import tempfile
import time

from places import place, wait
from worker import Skip

SIZE = 1 << 21  # numbers of 4 bytes
ROUNDS = 4


def checks(request, user):
    import torch

    device = place(torch, request["device"])
    return [
        ("transfer-pageable", lambda: there_and_back(torch, device, False, False)),
        ("transfer-pinned", lambda: there_and_back(torch, device, True, False)),
        ("transfer-non-blocking", lambda: there_and_back(torch, device, True, True)),
        ("transfer-non-blocking-pageable", lambda: released(torch, device)),
        ("transfer-device-device", lambda: between(torch, device)),
        ("transfer-all-reduce", lambda: all_reduce(torch, device)),
    ]


def content(torch, seed):
    """Whole numbers that float32 holds exactly, so that equality is to the bit."""
    return (torch.arange(SIZE, dtype=torch.int64) * 2654435761 + seed).remainder(1 << 24).to(torch.float32)


def pinned(torch, x, device):
    if device.type != "cuda":
        raise Skip("only CUDA has pinned memory")
    return x.pin_memory()


def there_and_back(torch, device, pin, non_blocking):
    seconds = []
    for seed in range(ROUNDS):
        x = content(torch, seed)
        source = pinned(torch, x, device) if pin else x
        wait(torch, device)
        start = time.perf_counter()
        there = torch.empty(SIZE, dtype=torch.float32, device=device)
        there.copy_(source, non_blocking=non_blocking)
        wait(torch, device)
        seconds.append(time.perf_counter() - start)
        bad = wrong(there.cpu(), x)
        if bad:
            return False, bad, {}
    rate = SIZE * 4 / min(seconds) / 1e9
    return True, "%.1f GB/s, equal to the bit" % rate, {"gb_per_s": rate}


def wrong(got, want):
    if bool((got == want).all()):
        return ""
    at = int((got != want).nonzero()[0])
    return "%d of %d numbers came back different, the first at %d: %r for %r" % (
        int((got != want).sum()),
        want.numel(),
        at,
        float(got[at]),
        float(want[at]),
    )


def released(torch, device):
    """The source is let go and its memory used again before the copy is waited for."""
    for seed in range(ROUNDS):
        want = content(torch, seed)
        source = want.clone()
        there = source.to(device, non_blocking=True, copy=True)
        del source
        noise = [torch.full((SIZE,), -1.0) for _ in range(2)]
        wait(torch, device)
        bad = wrong(there.cpu(), want)
        del noise
        if bad:
            return False, bad, {}
    return True, "equal to the bit", {}


def between(torch, device):
    if device.type == "cpu":
        raise Skip("the CPU is one device")
    other = device
    if device.type == "cuda" and torch.cuda.device_count() > 1:
        other = torch.device("cuda", (device.index + 1) % torch.cuda.device_count())
    x = content(torch, 9)
    first = x.to(device)
    wait(torch, device)
    start = time.perf_counter()
    second = torch.empty_like(first, device=other)
    second.copy_(first)
    wait(torch, device)
    wait(torch, other)
    rate = SIZE * 4 / (time.perf_counter() - start) / 1e9
    bad = wrong(second.cpu(), x)
    if bad:
        return False, "%s to %s: %s" % (device, other, bad), {}
    return True, "%s to %s, %.1f GB/s, equal to the bit" % (device, other, rate), {"gb_per_s": rate}


def all_reduce(torch, device):
    """Two processes of gloo, or one of nccl a device, sum what is known."""
    if not torch.distributed.is_available():
        raise Skip("this build has no torch.distributed")
    world, backend = 2, "gloo"
    if device.type == "cuda" and torch.cuda.device_count() > 1 and torch.distributed.is_nccl_available():
        world, backend = torch.cuda.device_count(), "nccl"
    with tempfile.TemporaryDirectory() as folder:
        torch.multiprocessing.spawn(member, args=(world, backend, folder), nprocs=world, join=True)
        results = []
        for rank in range(world):
            with open(os.path.join(folder, "rank%d" % rank)) as f:
                results.append(f.read())
    bad = [r for r in results if r != "ok"]
    if bad:
        return False, bad[0], {}
    return True, "%d processes of %s: the known sum" % (world, backend), {"world": world}


def member(rank, world, backend, folder):
    import torch

    if backend == "nccl":
        torch.cuda.set_device(rank)
    torch.distributed.init_process_group(backend, init_method="file://" + os.path.join(folder, "meet"), rank=rank, world_size=world)
    x = torch.arange(1000, dtype=torch.float32) + rank
    want = torch.arange(1000, dtype=torch.float32) * world + sum(range(world))
    if backend == "nccl":
        x = x.cuda()
    torch.distributed.all_reduce(x)
    text = wrong(x.cpu(), want) or "ok"
    with open(os.path.join(folder, "rank%d" % rank), "w") as f:
        f.write(text)
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()
