"""trainvet probe overfit: the trainer gets its first samples again and again, and
after so many steps the process ends. What it learned of them, and what of the
training stood still, goes into one file of the run directory.

A model that cannot learn eight samples by heart does not learn. This is a run to
throw away: nothing in here is live in any other."""

import copy
import functools
import json
import math
import os
import sys

from trainvet import process

ASKED = "TRAINVET_OVERFIT"  # samples:steps
PIECE = 64  # values of each parameter that are compared
NEAR = 0.05  # a loss that is learned by heart
SHARE = 0.1  # or this part of the first one
LAST = 10  # steps at the end, and at the beginning, over which a loss is taken
STOOD = 0.9  # a loss that is still this part of the first one


class Guard:
    def __init__(self, live, stepping, directory):
        self.live, self.stepping, self.directory = live, stepping, directory
        samples, _, steps = os.environ.get(ASKED, "").partition(":")
        self.samples, self.steps = (int(samples), int(steps)) if samples.isdigit() and steps.isdigit() else (0, 0)
        self.pid = os.getpid()
        self.kept = {}  # by dataset: (dataset, its first batches)
        self.losses = []  # one a step
        self.micro = []  # since the last step
        self.unscaled = None
        self.rates, self.with_gradient, self.not_zero = [], 0, 0
        self.began = {}  # by parameter: (parameter, first values of it)
        self.moved = False
        self.done = False
        if self.samples:
            stepping.before.append(self.before)
            stepping.listeners.append(self.stepped)
            live.after.append(self.write)

    def actions(self):
        if not self.samples:
            return {}
        return {
            "torch.utils.data.dataloader": self.loaders,
            "torch.autograd": self.backward,
            "torch.amp.grad_scaler": self.scaler,
        }

    # The first samples

    def loaders(self, module):
        original, guard = module.DataLoader.__iter__, self

        @functools.wraps(original)
        def __iter__(loader):
            batches = guard.quietly(lambda: guard.first(loader))
            if not batches:
                return original(loader)
            return guard.again(loader, batches)

        module.DataLoader.__iter__ = __iter__

    def first(self, loader):
        """The first batches of a loader, as it would make them."""
        key = id(loader.dataset)
        if key not in self.kept:
            self.kept[key] = (loader.dataset, list(self.made(loader)))
        return self.kept[key][1]

    def made(self, loader):
        left = self.samples
        collate = loader.collate_fn
        if not hasattr(loader.dataset, "__getitem__") or loader._dataset_kind != 0:  # a stream
            size = loader.batch_size
            items = iter(loader.dataset)
            while left > 0:
                part = [item for _, item in zip(range(min(size or 1, left)), items)]
                if not part:
                    return
                left -= len(part)
                yield collate(part) if size else collate(part[0])
        elif loader.batch_sampler is None:  # the dataset makes the batches
            for _, i in zip(range(left), loader.sampler):
                yield collate(loader.dataset[i])
        else:
            for indices in loader.batch_sampler:
                indices = list(indices)[:left]
                left -= len(indices)
                yield collate(fetch(loader.dataset, indices))
                if left <= 0:
                    return

    def again(self, loader, batches):
        """As many batches as the loader would give; an evaluation sees each once."""
        try:
            n = len(loader)
        except TypeError:
            n = sys.maxsize
        torch = sys.modules["torch"]
        if not torch.is_grad_enabled():
            n = min(n, len(batches))
        for i in range(n):
            yield copy.deepcopy(batches[i % len(batches)])

    # What is watched

    def scaler(self, module):
        original, guard = module.GradScaler.scale, self

        @functools.wraps(original)
        def scale(scaler, outputs):
            guard.quietly(lambda: guard.unscale(outputs))
            return original(scaler, outputs)

        module.GradScaler.scale = scale

    def unscale(self, outputs):
        if hasattr(outputs, "numel") and outputs.numel() == 1:
            self.unscaled = float(outputs.detach())

    def backward(self, module):
        original, guard = module.backward, self

        @functools.wraps(original)
        def backward(tensors, *args, **kwargs):
            guard.quietly(lambda: guard.loss(tensors))
            return original(tensors, *args, **kwargs)

        module.backward = backward

    def loss(self, tensors):
        loss = tensors[0] if isinstance(tensors, (list, tuple)) else tensors
        value, self.unscaled = self.unscaled, None
        if value is None and loss.numel() == 1:
            value = float(loss.detach())
        if value is not None:
            self.micro.append(value)

    def before(self, optimizer):
        params = [p for g in optimizer.param_groups for p in g["params"]]
        for p in params:
            if id(p) not in self.began:
                self.began[id(p)] = (p, piece(p))
        self.rates.append(max(abs(float(g.get("lr", 0.0))) for g in optimizer.param_groups))
        grads = [p.grad for p in params if p.grad is not None]
        self.with_gradient += bool(grads)
        self.not_zero += any(bool((g.coalesce().values() if g.is_sparse else g).any()) for g in grads)

    def stepped(self, optimizer, ledger, scaled):
        if not self.moved:
            self.moved = any(not same(first, piece(p)) for p, first in self.began.values())
        if self.micro:
            self.losses.append(sum(self.micro) / len(self.micro))
            self.micro = []
        if len(self.rates) >= self.steps:
            self.leave()

    def leave(self):
        """Ends the process as it stands: what a trainer does at its end, saving above
        all, is not wanted of this one."""
        self.write()
        self.live.flush()
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:  # it is closed, and nobody reads it
                pass
        os._exit(0)

    # What comes of it

    def write(self):
        if self.done or os.getpid() != self.pid or not (self.kept or self.rates):
            return
        self.done = True
        out = {"pid": self.pid, "rank": process.rank() or 0, "samples": self.samples, "steps": len(self.rates), "loaders": len(self.kept)}
        out.update(self.result())
        name = os.path.join(self.directory, "overfit-%d.json" % self.pid)
        with open(name + ".tvr", "w") as f:
            json.dump(out, f)
        os.rename(name + ".tvr", name)

    def result(self):
        finite = all(math.isfinite(x) for x in self.losses)
        n = max(1, min(LAST, len(self.losses) // 4))
        first = sum(self.losses[:1]) if self.losses else 0.0
        last = sum(self.losses[-n:]) / n if self.losses else 0.0
        out = {"first": first if finite else 0.0, "last": last if finite else 0.0, "finite": finite, "rate": max(self.rates, default=0.0)}
        out["code"] = self.code(finite, first, last)
        return out

    def code(self, finite, first, last):
        """What is wrong, the cause before its consequence; empty: it was learned."""
        twice = any(code == "gradient-used-twice" for code, _ in self.live.said)
        if not self.rates:
            return "no-step"
        if not finite:
            return "not-finite"
        if not self.with_gradient or not self.not_zero:
            return "no-gradient"
        if not any(self.rates):
            return "rate-zero"
        if not self.moved:
            return "no-movement"
        if self.losses and last <= max(NEAR, SHARE * first):
            return ""
        if not self.losses:
            return "no-loss"
        if twice:
            return "gradient-used-twice"
        if last >= STOOD * first:
            return "stands-at-chance"
        return "not-near-zero"

    def quietly(self, do):
        try:
            return do()
        except Exception as e:
            self.live.report("overfit", e)
            return None


def fetch(dataset, indices):
    many = getattr(dataset, "__getitems__", None)
    return many(indices) if callable(many) else [dataset[i] for i in indices]


def piece(p):
    return p.detach().reshape(-1)[:PIECE].clone()


def same(a, b):
    return bool((a == b).all())
