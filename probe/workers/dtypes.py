"""Measures what a smaller dtype is worth on a device, against float32 there.

Two questions, kept apart: does the device compute in it (a matrix product),
and does training gain by it (a whole step under autocast). What the framework
itself claims stands beside the answer.
"""

import os
import time

from places import generator, place, wait
from worker import Skip

MATMUL = {"cpu": 512, "cuda": 4096, "mps": 2048, "xpu": 4096}
WIDTH = {"cpu": 384, "cuda": 2048, "mps": 1024, "xpu": 2048}
PAIRS = 7  # interleaved; the first is dropped
BUDGET = 3.0  # seconds for one comparison

# Below the first a product is no native one; from the second on training gains.
EMULATED_BELOW = 0.9
GAINS_FROM = 1.05


def checks(request, user):
    import torch

    device = place(torch, request["device"])
    out = []
    for name in ("bfloat16", "float16"):
        out.append(("dtype-" + name, lambda name=name: measure(torch, device, name, Own(torch, device, name))))
    if user is not None and hasattr(user, "dtypes"):
        for d in user.dtypes(torch):
            out.append(("user-dtype-" + d["name"], lambda d=d: measure(torch, device, d["name"], Users(torch, device, d))))
    return out


class Own:
    """A dtype of the framework."""

    def __init__(self, torch, device, name):
        self.torch, self.device, self.dtype = torch, device, getattr(torch, name)

    def claimed(self):
        torch = self.torch
        if self.device.type == "cuda":
            return str(torch.cuda.is_bf16_supported()) if self.dtype == torch.bfloat16 else "True"
        if self.device.type == "xpu" and self.dtype == torch.bfloat16:
            return str(torch.xpu.is_bf16_supported())
        return "no query"

    def product(self, a, b):
        a, b = a.to(self.dtype), b.to(self.dtype)
        return lambda: a @ b

    def context(self):
        return self.torch.autocast(self.device.type, dtype=self.dtype)


class Users:
    """A dtype of the user's file: product(a, b) and context()."""

    def __init__(self, torch, device, spec):
        self.torch, self.device, self.spec = torch, device, spec

    def claimed(self):
        return str(self.spec.get("claimed", "no query"))

    def product(self, a, b):
        return lambda: self.spec["product"](a, b)

    def context(self):
        import contextlib

        return self.spec["context"]() if "context" in self.spec else contextlib.nullcontext()


def measure(torch, device, name, dtype):
    n = MATMUL.get(device.type, 1024)
    a = torch.randn(n, n, generator=generator(torch, 1)).to(device)
    b = torch.randn(n, n, generator=generator(torch, 2)).to(device)
    try:
        small = dtype.product(a, b)
        result = small()
        wait(torch, device)
    except (RuntimeError, TypeError, NotImplementedError) as err:
        raise Skip("the device cannot hold it: %s" % str(err).splitlines()[0][:200])
    matmuls = interleaved(torch, device, lambda: a @ b, small)
    if matmuls[0] < EMULATED_BELOW:  # said twice, or not at all: a neighbour can slow one of a pair throughout
        matmuls = tuple(map(max, matmuls, interleaved(torch, device, lambda: a @ b, small)))
    steps, finite = train(torch, device, dtype)
    finite = finite and bool(result.float().isfinite().all())
    if below(matmuls, EMULATED_BELOW, finite):
        word = "emulated"
    elif below(steps, GAINS_FROM, finite):
        word = "native, slower here"
    else:
        word = "faster here"
    (matmul, _), (step, _) = matmuls, steps
    text = "%s: matmul %.2f, training step %.2f times the speed of float32; the framework's query: %s" % (word, matmul, step, dtype.claimed())
    numbers = {"matmul": matmul, "step": step, "finite": finite, "word": word, "claimed": dtype.claimed(), "dtype": name}
    if not finite:
        return False, "results are not finite; " + text, numbers
    return True, text, numbers


def below(speeds, threshold, finite):
    """Whether a speed is under a threshold. What else runs on the machine slows
    one of a pair: where the best times and the median of the pairs fall on
    different sides, or twice as much waits for the processor as it has cores,
    nothing is decided."""
    best, median = speeds
    waiting = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0
    if finite and ((best < threshold) != (median < threshold) or waiting > 2 * (os.cpu_count() or 1) + 1):
        raise Skip("the machine is too busy to tell: the best times say %.2f, the median %.2f times the speed of float32" % speeds)
    return best < threshold


def interleaved(torch, device, first, second):
    """How many times as fast the second is, of pairs A B B A: by the best time
    of each, which others on the machine disturb least, and by the median."""
    times = ([], [])
    begin = time.perf_counter()
    repeat = 1
    for pair in range(PAIRS):
        order = (0, 1) if pair % 2 == 0 else (1, 0)
        for which in order:
            call = (first, second)[which]
            wait(torch, device)
            start = time.perf_counter()
            for _ in range(repeat):
                call()
            wait(torch, device)
            times[which].append((time.perf_counter() - start) / repeat)
        if pair == 0:  # warm-up; short calls are repeated so that the clock can see them
            shortest = max(min(times[0][0], times[1][0]), 1e-6)
            repeat = max(1, min(50, int(0.01 / shortest)))
        elif time.perf_counter() - begin > BUDGET and pair >= 3:
            break
    ratios = sorted(a / b for a, b in zip(times[0][1:], times[1][1:]))
    return min(times[0][1:]) / min(times[1][1:]), ratios[len(ratios) // 2]


def train(torch, device, dtype):
    """A whole training step in float32 and under autocast, in turn."""
    import contextlib

    width = WIDTH.get(device.type, 512)
    nn = torch.nn

    class Loop:
        def __init__(self, context, scaled):
            torch.manual_seed(3)
            self.model = nn.Sequential(nn.Linear(width, width), nn.LayerNorm(width), nn.GELU(), nn.Linear(width, width), nn.GELU(), nn.Linear(width, 64)).to(
                device
            )
            self.opt = torch.optim.AdamW(self.model.parameters(), lr=1e-4)
            self.context = context
            self.scaler = torch.cuda.amp.GradScaler() if scaled else None
            self.x = torch.randn(256, width, generator=generator(torch, 4)).to(device)
            self.y = torch.randint(0, 64, (256,), generator=generator(torch, 5)).to(device)
            self.loss = None

        def __call__(self):
            self.opt.zero_grad(set_to_none=True)
            with self.context():
                loss = nn.functional.cross_entropy(self.model(self.x).float(), self.y)
            if self.scaler is None:
                loss.backward()
                self.opt.step()
            else:
                self.scaler.scale(loss).backward()
                self.scaler.step(self.opt)
                self.scaler.update()
            self.loss = loss

    full = Loop(contextlib.nullcontext, False)
    small = Loop(dtype.context, device.type == "cuda" and getattr(dtype, "dtype", None) == torch.float16)
    return interleaved(torch, device, full, small), bool(small.loss.detach().float().isfinite())
