"""What each rank holds of a model that all ranks train: digests of its parameters,
in the record of the rank. Nobody asks another rank; the audit compares.

Looked at is what an optimizer is about to change, so that whatever a trainer does
after a step (broadcasts of what was sharded, averages) is done. All ranks look at
steps that are multiples of a power of two, as large as the time allows: what the
slower one looks at, the faster one has looked at too."""

import functools
import sys
import time
import weakref
import zlib

from trainvet import imports, steps

LOOKED_AT = 10  # first steps, whatever a look costs
SHARE = 0.01  # of the time between two steps, afterwards
FREE = 40e-6  # seconds a step that are no cost
MAX_STRIDE = 1 << 16
FINENESS = 10  # of the looks: 1,024 while the steps double
LINE = 64  # items that a record holds
STATISTICS = ("running_mean", "running_var", "num_batches_tracked")
TOGETHER = 0.25  # of its parameters, summed over the ranks between two steps: a model that they train together
MAX_PLACES = 1 << 14
REDUCE = ("all_reduce", "all_reduce_coalesced", "reduce_scatter", "reduce_scatter_tensor", "broadcast")
AVERAGES = "torch.distributed.algorithms.model_averaging.averagers"


class Guard:
    def __init__(self, live, stepping):
        self.live, self.stepping = live, stepping
        self.wrapped = []  # modules that DistributedDataParallel holds together
        self.models = {}  # by optimizer id: what is looked at before its steps
        self.reduced = 0  # numbers that the trainer itself summed over ranks, or sent to all
        self.places = set()  # where what was summed since the last step lies
        live.after.append(self.write)

    def actions(self):
        return {"torch.nn.parallel.distributed": self.distributed, "torch.distributed.distributed_c10d": self.groups}

    def groups(self, module):
        """A process that never joins others is not asked at each step."""
        original, guard = module.init_process_group, self

        @functools.wraps(original)
        def init_process_group(*args, **kwargs):
            out = original(*args, **kwargs)
            guard.joined()
            return out

        imports.put(module, "init_process_group", init_process_group)
        for name in REDUCE:
            collective = getattr(module, name, None)
            if collective is not None:
                imports.put(module, name, self.counting(collective))
        if module.is_initialized():
            self.joined()

    def counting(self, original):
        guard = self

        @functools.wraps(original)
        def collective(*args, **kwargs):
            if not steps.compiling():
                try:
                    guard.count(args[0] if args else next(iter(kwargs.values())))
                except Exception as e:
                    guard.live.report("collective", e)
            return original(*args, **kwargs)

        return collective

    def count(self, tensors):
        for t in tensors if isinstance(tensors, (list, tuple)) else (tensors,):
            if t.is_floating_point():
                self.reduced += t.numel()
                if len(self.places) < MAX_PLACES and self.live.step < LOOKED_AT and steps.plain(t):
                    self.places.add((t.data_ptr(), t.numel()))  # memory is used again, seldom for as many

    def joined(self):
        if self.stepping_now not in self.stepping.before:
            self.stepping.before.append(self.stepping_now)

    def distributed(self, module):
        cls, guard = module.DistributedDataParallel, self
        original = cls.__init__

        @functools.wraps(original)
        def __init__(self, *args, **kwargs):
            original(self, *args, **kwargs)
            try:
                guard.wrapped.append(Wrapped(self))
            except Exception as e:
                guard.live.report("DistributedDataParallel", e)

        cls.__init__ = __init__

    def stepping_now(self, optimizer):
        if not ranks():
            return
        key = id(optimizer)
        model = self.models.get(key)
        if model is None or model.optimizer() is not optimizer:
            model = self.models[key] = self.model(optimizer)
        model.counted(self.reduced, self.places)
        self.places.clear()
        ledger = self.stepping.ledger(optimizer)
        done = ledger.attempted - (self.stepping.scaling is not None)
        if done == 0 and model.names is None:
            return
        if model.due(done) and not steps.unreadable():
            model.look(done)

    def model(self, optimizer):
        """What the optimizer moves: a wrapped model, which one optimizer looks
        at for all, else the parameters that it holds."""
        held = {id(p) for g in optimizer.param_groups for p in g["params"]}
        for w in self.wrapped:
            if w.owner is not None and w.owner() not in (None, optimizer):
                continue
            if any(id(p) in held for _, p in w.named()):
                w.owner = weakref.ref(optimizer)
                return Model(self.live, optimizer, w, w.named)
        ledger = self.stepping.ledger(optimizer)
        taken = {id(p) for w in self.wrapped for _, p in w.named()}
        if held & taken:
            return Model(self.live, optimizer, None, None)
        return Model(self.live, optimizer, Loose(ledger.name), functools.partial(of_optimizer, weakref.ref(optimizer), None))

    def write(self):
        for model in self.models.values():
            model.write()


class Wrapped:
    """A module that DistributedDataParallel wraps."""

    expect, code = "equal", "replicas-differ"
    together = True

    def __init__(self, ddp):
        self.ref = weakref.ref(ddp)
        self.owner = None
        name = type(ddp.module).__name__
        self.text = "the parameters of %s" % name
        self.group = "%s, %s" % (self.text, members(ddp.process_group))
        self.left_out = set(getattr(ddp, "parameters_to_ignore", ()))

    def named(self):
        """Its parameters, and the statistics that ranks compute together."""
        ddp = self.ref()
        if ddp is None:
            return []
        out = [(n, p) for n, p in ddp.module.named_parameters() if n not in self.left_out]
        for prefix, m in ddp.module.named_modules():
            if type(m).__name__ == "SyncBatchNorm":
                out += [((prefix + "." if prefix else "") + n, b) for n, b in m._buffers.items() if b is not None and n in STATISTICS]
        return out


class Loose:
    """Parameters that no wrapper keeps together, of those that start alike. Where
    the trainer sums nothing of their size over the ranks they are models of their
    own (a search, an ensemble, actors) that have one seed."""

    expect, code = "stays", "replicas-differ"
    together = False

    def __init__(self, name):
        self.text = "the parameters that %s holds" % name
        self.group = "%s, all ranks" % self.text

    def some(self, n, of):
        if n < of:
            self.text += " whose gradients are summed over the ranks"
            self.group = "%s (%d of %d), all ranks" % (self.text, n, of)


def of_optimizer(ref, places):
    """All of its parameters, or those at the given places."""
    optimizer = ref()
    if optimizer is None:
        return []
    flat = [p for g in optimizer.param_groups for p in g["params"]]
    return [("parameter %d (%s)" % (i, "x".join(map(str, flat[i].shape))), flat[i]) for i in (range(len(flat)) if places is None else places)]


class Model:
    """The looks at what one optimizer moves."""

    def __init__(self, live, optimizer, kind, names):
        self.live, self.kind, self.names = live, kind, names
        self.optimizer = weakref.ref(optimizer)
        self.stride, self.looks, self.spent = 1, 0, 0.0
        self.began, self.last = time.monotonic(), None
        self.pending = []  # (step, digest of all); those on a device are read when they are written
        self.member = "rank %d" % sys.modules["torch.distributed"].get_rank()
        self.latest = None  # (step, names, digests)
        self.reduced = self.size = 0

    def counted(self, reduced, places):
        """What the trainer has summed over the ranks until now. Where these were the
        gradients of some of the parameters, the others are each rank's own part."""
        if self.kind is None or self.kind.together:
            return
        named = self.names()
        self.size = self.size or sum(p.numel() for _, p in named)
        summed = [i for i, (_, p) in enumerate(named) if p.grad is not None and steps.plain(p.grad) and (p.grad.data_ptr(), p.grad.numel()) in places] if places else []
        if summed and not self.looks:
            self.kind.some(len(summed), len(named))
            self.names = functools.partial(of_optimizer, self.optimizer, summed)
        self.kind.together = bool(summed) or reduced - self.reduced >= TOGETHER * self.size
        self.reduced = reduced

    def due(self, done):
        if self.names is None:
            return False
        if done < LOOKED_AT:
            return True
        return done % max(self.stride, 1 << max(done.bit_length() - 1 - FINENESS, 0)) == 0

    def look(self, done):
        start = time.monotonic()
        named = [(n, p) for n, p in self.names() if steps.plain(p) and p.device.type != "meta" and p.numel()]
        if named:
            parts = digests([p.detach() for _, p in named])
            self.latest = (done, [n for n, _ in named], parts)
            self.pending.append((done, parts))
            self.looks += 1
            if self.looks & (self.looks - 1) == 0 or len(self.pending) >= LINE // 2:
                self.write()
        self.spent = time.monotonic() - start
        self.pace(done, start)

    def pace(self, done, now):
        """The stride that keeps what a look costs within its share."""
        if done < 2:
            self.began = now
            return
        each = max((now - self.began) / (done - 1), 1e-9)
        self.stride = 1
        while self.stride < MAX_STRIDE and self.spent > self.stride * (FREE + SHARE * each):
            self.stride *= 2

    def write(self):
        if self.latest is None or not self.pending:
            return
        pending, self.pending = self.pending, []
        rows = [(step, settled(parts)) for step, parts in pending]
        items = [item(step, "", whole(values)) for step, values in rows]
        step, names, _ = self.latest
        values = rows[-1][1]
        self.put(items)
        self.put([item(step, name, value) for name, value in bundles(names, values)])

    def put(self, items):
        self.live.out.write("held", {
            "code": self.kind.code, "effect": self.effect(), "group": self.kind.group, "member": self.member,
            "expect": self.kind.expect, "text": self.kind.text, "items": items,
        })

    def effect(self):
        """Where a trainer averages its models now and then, they may end apart."""
        return "degrade" if self.kind.together and AVERAGES not in sys.modules else "note"


def item(step, name, value):
    return {"step": step, "name": name, "value": value}


def bundles(names, values):
    """As many as a record holds: neighbours of a large model go together."""
    n = -(-len(names) // LINE)
    for i in range(0, len(names), n):
        part = names[i : i + n]
        yield part[0] if n == 1 else "%s to %s" % (part[0], part[-1]), whole(values[i : i + n]) if n > 1 else str(values[i])


def whole(values):
    return "%08x" % (zlib.crc32(",".join(map(str, values)).encode("ascii")) & 0xFFFFFFFF)


def digests(tensors):
    """One a tensor, of every bit. On a device they stay there."""
    torch = sys.modules["torch"]
    if all(t.device.type == "cpu" for t in tensors):
        return [crc(t) for t in tensors]
    by_device = {}
    for i, t in enumerate(tensors):
        by_device.setdefault(t.device, []).append((i, bits(torch, t).sum(dtype=torch.int64)))
    return [([i for i, _ in part], torch.stack([s for _, s in part])) for part in by_device.values()]


def settled(parts):
    if parts and isinstance(parts[0], tuple):
        flat = {}
        for places, sums in parts:
            flat.update(zip(places, sums.tolist()))
        return [flat[i] for i in sorted(flat)]
    return parts


def crc(t):
    """Of the bytes where they lie: no copy, and no numpy."""
    import ctypes

    t = t if t.is_contiguous() else t.contiguous()
    return zlib.crc32((ctypes.c_char * (t.numel() * t.element_size())).from_address(t.data_ptr()))


def bits(torch, t):
    if t.is_complex():
        t = torch.view_as_real(t)
    return t.contiguous().view({1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[t.element_size()])


def ranks():
    """Whether several ranks train: known without asking one of them."""
    dist = sys.modules.get("torch.distributed")
    started = getattr(dist, "is_initialized", None)  # is not there where torch was built without it
    return started is not None and started() and dist.get_world_size() > 1


def members(group):
    dist = sys.modules["torch.distributed"]
    ask = getattr(dist, "get_process_group_ranks", None)
    return "ranks %s" % ",".join(map(str, ask(group))) if ask is not None else "%d ranks" % dist.get_world_size(group)
