"""Whether ranks that share their gradients see data of their own: digests of what a
wrapped model is called with in training, in the record of each rank. Nobody asks
another rank; the audit compares.

Compared are the ranks of one data-parallel group alone: ranks that split a model
between them share their data on purpose, and are wrapped in groups of their own.
A batch that stays the same from step to step is meant to be learned by heart, which
the audit knows by its digests."""

import functools
import sys
import weakref

from trainvet import content, gate, replicas

FIRST = 4  # calls that are looked at, and later each whose number is a power of two

WRAPPERS = (
    ("torch.nn.parallel.distributed", "DistributedDataParallel"),
    ("torch.distributed.fsdp.fully_sharded_data_parallel", "FullyShardedDataParallel"),
)


class Guard:
    def __init__(self, live):
        self.live = live
        self.calls = {}  # by id of the wrapped model: Calls
        self.originals = []  # (class, forward): put back before anything is compiled
        self.left = False

    def actions(self):
        return {module: functools.partial(self.wrap, name=name) for module, name in WRAPPERS}

    def wrap(self, module, name):
        cls, guard = getattr(module, name), self
        original = cls.forward

        @functools.wraps(original)
        def forward(self, *inputs, **kwargs):
            guard.called(self, inputs, kwargs)
            return original(self, *inputs, **kwargs)

        if not self.left:
            cls.forward = forward
            self.originals.append((cls, original, forward))
        self.initialised(cls)

    def initialised(self, cls):
        """Where a model is compiled nobody looks at its calls: the wrapper is noted,
        and batches are taken from the loader."""
        original, guard = cls.__init__, self

        @functools.wraps(original)
        def __init__(self, *args, **kwargs):
            original(self, *args, **kwargs)
            try:
                if getattr(self, "_is_root", None) is not False:
                    guard.of(self)
            except Exception as e:
                guard.live.report("data of ranks", e)

        cls.__init__ = __init__

    def leave(self):
        """Something is compiled from here on."""
        self.left = True
        for cls, original, ours in self.originals:
            if cls.forward is ours:
                cls.forward = original
        self.originals = []

    def of(self, wrapped):
        kept = self.calls.get(id(wrapped))
        if kept is None or kept.ref() is not wrapped:
            kept = self.calls[id(wrapped)] = Calls(self.live, wrapped)
        return kept

    def called(self, wrapped, inputs, kwargs):
        try:
            torch = sys.modules["torch"]
            if not wrapped.training or not torch.is_grad_enabled() or getattr(wrapped, "_is_root", None) is False:
                return
            calls = self.of(wrapped)
            calls.n += 1
            if calls.due(calls.n) and not gate.unreadable():
                calls.look(calls.n, (inputs, kwargs))
        except Exception as e:
            self.live.report("data of ranks", e)

    def batch(self, loader, batch):
        """What a loader gave, where the calls cannot be seen."""
        if not self.left or not loader.trains() or not replicas.ranks():
            return
        alive = [c for c in self.calls.values() if c.ref() is not None and c.n == 0]
        if len({c.group for c in alive}) == 1 and loader.given:
            alive[0].look(loader.given, batch)

    def forked(self):
        self.calls = {}


class Calls:
    """The calls of one wrapped model, in training."""

    def __init__(self, live, wrapped):
        self.live = live
        self.ref = weakref.ref(wrapped)
        self.n = 0
        self.pending, self.looks = [], 0
        self.text = "batches of %s" % type(wrapped.module).__name__
        self.group = "%s, %s" % (self.text, replicas.members(wrapped.process_group))
        self.several = sys.modules["torch.distributed"].get_world_size(wrapped.process_group) > 1
        self.member = "rank %d" % sys.modules["torch.distributed"].get_rank()

    def due(self, n):
        return self.several and (n <= FIRST or n & (n - 1) == 0)

    def look(self, n, what):
        with self.live.budget:
            value = content.digest(what)
        if value:
            self.pending.append({"step": n, "name": "", "value": value})
            self.looks += 1
        if self.looks >= FIRST and self.pending:
            items, self.pending = self.pending, []
            self.live.out.write("held", {
                "code": "ranks-same-data", "effect": "degrade", "group": self.group, "member": self.member,
                "expect": "apart", "text": self.text, "items": items,
            })
