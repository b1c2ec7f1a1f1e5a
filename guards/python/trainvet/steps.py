"""The step ledger: which optimizer steps were asked for, which were applied and
which a loss scaler threw away.

Skips are read from found_inf before GradScaler.update() folds it away, never
from the scale: a scale that stands at its floor, or one that hysteresis holds,
skips without moving. On a device the flags stay there until enough have come
together, so that no step waits for one."""

import functools
import sys
import weakref

from trainvet.live import FINENESS, NONE

PENDING = 64  # flags on a device that are read at once


class Ledger:
    """The totals of one optimizer."""

    def __init__(self, live, optimizer, name):
        self.live, self.name = live, name
        self.optimizer = weakref.ref(optimizer)
        self.attempted = self.applied = self.skipped = 0
        self.how = ""
        self.next = 1
        self.written = 0
        self.run = None  # skips in a row that are not written yet: [from, until, scale]
        self.streak = 0  # skips in a row
        self.pending = []  # (attempt, flag on a device, scale on a device)

    def direct(self):
        """A step without a scaler: it was applied, since it was made."""
        self.attempted += 1
        self.applied += 1
        self.how = self.how or "trainer"
        self.ends_streak()
        self.tick()

    def asked(self):
        self.attempted += 1
        return self.attempted

    def flagged(self, attempt, flag, scale):
        """What the scaler found at an attempt; both numbers may lie on a device."""
        self.how = "found-inf"
        self.pending.append((attempt, flag, scale))
        if not on_device(flag) or len(self.pending) >= PENDING:
            self.settle()

    def settle(self):
        """Reads the flags that are still on a device, in one copy."""
        pending, self.pending = self.pending, []
        for (attempt, _, _), flag, scale in zip(pending, numbers([p[1] for p in pending]), numbers([p[2] for p in pending])):
            if flag > 0:
                self.skip(attempt, scale)
            else:
                self.applied += 1
                self.ends_streak()
        self.tick()

    def skip(self, attempt, scale):
        self.skipped += 1
        self.streak += 1
        if self.run is None:
            self.run = [attempt, attempt, scale]
        self.run[1:] = [attempt, scale]
        if self.streak & (self.streak - 1) == 0:  # at once, and ever more of a stretch without end
            self.settle_stretch()

    def ends_streak(self):
        if self.streak:
            self.settle_stretch()
            self.streak = 0

    def settle_stretch(self):
        if self.run is None:
            return
        (first, last, scale), self.run = self.run, None
        self.live.out.write("skip", {
            "optimizer": self.name, "from": first, "until": last, "n": last - first + 1, "step": self.live.step,
            "reason": "found-inf", "scale": float(scale), "scaled": True, "floor": scale <= 0, "skipped": self.skipped,
        })
        self.write()

    def tick(self):
        if self.attempted >= self.next:
            self.write()

    def write(self):
        if self.pending:
            self.settle()
        if self.run is not None:
            self.settle_stretch()
        state = (self.attempted, self.applied, self.skipped)
        if state == self.written or not self.attempted:
            return
        self.written = state
        self.next = self.attempted + max(1, self.attempted >> FINENESS)
        self.live.out.write("step", {
            "optimizer": self.name, "step": self.live.step, "planned": 0, "attempted": self.attempted,
            "applied": self.applied, "skipped": self.skipped, "samples": 0, "how": self.how,
        })


class Guard:
    """All optimizers of a process. Listeners are told of each step that was
    applied: listener(optimizer, ledger)."""

    def __init__(self, live):
        self.live = live
        self.ledgers = {}
        self.names = {}
        self.scaling = None  # the attempt of scaler.step that is being made
        self.before = []  # told before each update: before(optimizer)
        self.listeners = []
        self.scaler_classes = []  # told of each class of scalers

    def actions(self):
        return {
            "torch.optim.optimizer": self.optimizers,
            "torch.amp.grad_scaler": lambda m: self.scalers(m.GradScaler),
            "torch.cuda.amp.grad_scaler": lambda m: self.scalers(m.GradScaler),
            "torch.distributed.fsdp.sharded_grad_scaler": lambda m: self.scalers(m.ShardedGradScaler),
        }

    def ledger(self, optimizer):
        optimizer = bare(optimizer)
        kept = self.ledgers.get(id(optimizer))
        if kept is not None and kept.optimizer() is optimizer:
            return kept
        kind = type(optimizer).__name__
        self.names[kind] = self.names.get(kind, 0) + 1
        name = kind if self.names[kind] == 1 else "%s#%d" % (kind, self.names[kind])
        made = self.ledgers[id(optimizer)] = Ledger(self.live, optimizer, name)
        self.live.totals.append(made)
        return made

    def optimizers(self, module):
        register = getattr(module, "register_optimizer_step_post_hook", None)
        if register is None:  # before torch 2.0
            self.profile_hook(module.Optimizer)
            return
        module.register_optimizer_step_pre_hook(lambda optimizer, args, kwargs: self.quietly("optimizer step", lambda: self.steps(optimizer)))
        register(lambda optimizer, args, kwargs: self.quietly("optimizer step", lambda: self.stepped(optimizer)))

    def profile_hook(self, cls):
        original, guard = cls.profile_hook_step, self

        def profile_hook_step(func, *rest):
            inner = original(func, *rest)

            @functools.wraps(inner)
            def step(optimizer, *args, **kwargs):
                guard.quietly("optimizer step", lambda: guard.steps(optimizer))
                out = inner(optimizer, *args, **kwargs)
                guard.quietly("optimizer step", lambda: guard.stepped(optimizer))
                return out

            return step

        cls.profile_hook_step = staticmethod(profile_hook_step)

    def steps(self, optimizer):
        if not compiling():
            for listener in self.before:
                listener(optimizer)

    def stepped(self, optimizer):
        """The update of an optimizer ran; under a scaler whose kernels skip by
        themselves that says nothing yet."""
        if compiling():
            return
        scaled = self.scaling is not None
        ledger = self.ledger(optimizer)
        if not scaled:
            ledger.direct()
            self.clock(ledger)
        for listener in self.listeners:
            listener(optimizer, ledger, scaled)

    def clock(self, ledger):
        self.live.step = max(self.live.step, ledger.attempted)

    def scalers(self, cls):
        for listener in self.scaler_classes:
            listener(cls)
        for c in [cls] + cls.__subclasses__():
            self.wrap(c, "step", self.scaled_step)
            self.wrap(c, "update", self.scaled_update)

    def wrap(self, cls, name, maker):
        original = cls.__dict__.get(name)
        if original is not None and not getattr(original, "__trainvet__", False):
            made = functools.wraps(original)(maker(original))
            made.__trainvet__ = True
            setattr(cls, name, made)

    def scaled_step(self, original):
        guard = self

        def step(scaler, optimizer, *args, **kwargs):
            if not live_scaler(scaler) or compiling() or guard.scaling is not None:
                return original(scaler, optimizer, *args, **kwargs)
            guard.quietly("scaler step", lambda: guard.ask(optimizer))
            try:
                return original(scaler, optimizer, *args, **kwargs)
            finally:
                guard.scaling = None

        return step

    def ask(self, optimizer):
        ledger = self.ledger(optimizer)
        self.scaling = ledger.asked()
        self.clock(ledger)

    def scaled_update(self, original):
        guard = self

        def update(scaler, *args, **kwargs):
            if live_scaler(scaler) and not compiling():
                guard.quietly("scaler update", lambda: guard.read(scaler))
            return original(scaler, *args, **kwargs)

        return update

    def read(self, scaler):
        scale = getattr(scaler, "_scale", None)
        for key, state in scaler._per_optimizer_states.items():
            ledger = self.ledgers.get(key)
            found = state.get("found_inf_per_device")
            if ledger is None or not found or getattr(state.get("stage"), "name", "") != "STEPPED":
                continue
            flags = list(found.values())
            flag = flags[0] if len(flags) == 1 else sum(f.to(flags[0].device) for f in flags)
            ledger.flagged(ledger.attempted, keep(flag), keep(scale))
        self.watch_scale(scale)

    def watch_scale(self, scale):
        """A scale of 0 makes NaN of every gradient, which no flag shows."""
        if scale is None or on_device(scale):
            return
        value = float(scale)
        if value != value or value in (float("inf"), float("-inf")):
            self.live.finding("scale-nonfinite", "degrade", "the loss scale is %r" % value, since=self.live.step, once="scale")
        elif value == 0:
            self.live.finding("scale-zero", "degrade", "the loss scale is 0: gradients become NaN, are not seen as overflow, and are applied", since=self.live.step, once="scale")

    def quietly(self, what, do):
        try:
            do()
        except Exception as e:
            self.live.report(what, e)


def bare(optimizer):
    """accelerate and others hand out wrappers."""
    for _ in range(4):
        inner = getattr(optimizer, "optimizer", None)
        if inner is None or not hasattr(inner, "param_groups"):
            return optimizer
        optimizer = inner
    return optimizer


def live_scaler(scaler):
    return getattr(scaler, "_enabled", False)


def keep(value):
    """A copy, since the scaler goes on to write into its own."""
    return value.detach().clone() if hasattr(value, "detach") else value


def on_device(value):
    device = getattr(value, "device", None)
    return device is not None and device.type != "cpu"


def numbers(values):
    """The numbers of 0-d tensors and of plain numbers, in one copy."""
    tensors = [v for v in values if hasattr(v, "detach")]
    if not any(on_device(t) for t in tensors):
        return [0.0 if v is None else float(v) for v in values]  # a stack of one costs more than the look
    import torch

    flat = iter(torch.stack([t.reshape(()).float() for t in tensors]).tolist())
    return [next(flat) if hasattr(v, "detach") else (0.0 if v is None else float(v)) for v in values]


def plain(t):
    """A tensor whose values are all here: no shard, no unknown subclass."""
    torch = sys.modules.get("torch")
    return torch is not None and type(t) in (torch.Tensor, torch.nn.Parameter) and t.layout == torch.strided


def compiling():
    """Whether what runs is not computed now: it is compiled, traced, transformed
    by vmap or grad, or captured into a graph of a device. No value may be read."""
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    ask = getattr(getattr(torch, "compiler", None), "is_compiling", None)
    if ask is not None and ask():
        return True
    c = torch._C
    transforms = getattr(getattr(c, "_functorch", None), "peek_interpreter_stack", None)
    if c._get_tracing_state() is not None or (transforms is not None and transforms() is not None):
        return True
    capturing = getattr(torch.cuda, "is_current_stream_capturing", None)
    return capturing is not None and torch.cuda.is_initialized() and capturing()


def unreadable():
    """Whether no value may be read: also where somebody watches, or fakes, each
    operation that is made."""
    if compiling():
        return True
    watching = getattr(sys.modules["torch"]._C, "_len_torch_dispatch_stack", None)
    return watching is not None and watching() > 0
