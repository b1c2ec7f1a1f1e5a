"""Operators and dtypes that are wrong on purpose, each beside a sound twin."""

import os
import time


def inflating(torch, factor):
    """Exact forward, and a backward that is too large by a factor of the number of regions."""

    class Inflate(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, regions):
            ctx.factor = factor(regions)
            return x.clone()

        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.factor, None

    return Inflate.apply


def ops(torch):
    def inputs(n):
        g = torch.Generator()
        g.manual_seed(n)
        return {"x": torch.randn(n, 4, generator=g, dtype=torch.float64), "w": torch.randn(4, 3, generator=g, dtype=torch.float64)}

    def sound(x, w):
        return torch.tanh(x @ w)

    inflate = inflating(torch, lambda n: 2.96 if n < 100 else 191.0)

    def inflated(x, w):
        return sound(inflate(x, x.shape[0]), w)

    def aborts(x, w):
        os.abort()

    def exits(x, w):
        os._exit(7)

    def hangs(x, w):
        time.sleep(3600)

    def raises(x, w):
        raise RuntimeError("CUDA error: an illegal memory access was encountered")

    def narrow(x, w):
        return sound(x.to(torch.bfloat16).float(), w)

    def op(name, candidate, *sizes):
        return {"name": name, "inputs": inputs, "candidate": candidate, "reference": sound, "sizes": sizes or (8,)}

    return [
        op("sound", sound, 8, 512),
        op("inflated", inflated, 8, 512),
        op("aborts", aborts),
        op("exits", exits),
        op("hangs", hangs),
        op("raises", raises),
        op("narrow", narrow),
        op("sound-last", sound),
    ]


def dtypes(torch):
    def slow(a, b):
        # Really slow: each product is made three times.
        return (a @ b) + 0 * (a @ b) + 0 * (a @ b)

    def fair(a, b):
        return a @ b

    return [{"name": "slow", "product": slow, "claimed": True}, {"name": "fair", "product": fair, "claimed": True}]
