"""The step ledger: which optimizer steps were asked for, which were applied and
which a loss scaler threw away.

Skips are read from found_inf before GradScaler.update() folds it away, never
from the scale: a scale that stands at its floor, or one that hysteresis holds,
skips without moving. On a device the flags stay there until enough have come
together, so that no step waits for one."""

import functools
import weakref

from trainvet.gate import compiling, plain, unreadable
from trainvet.live import FINENESS, NONE

__all__ = ["Guard", "Ledger", "bare", "compiling", "live_scaler", "plain", "unreadable"]

REFRESH = 63  # held parameters are listed anew once in so many steps and one
PENDING = 64  # flags on a device that are read at once


class Ledger:
    """The totals of one optimizer."""

    def __init__(self, live, optimizer, name):
        self.live, self.name = live, name
        self.optimizer = weakref.ref(optimizer, self.gone)
        self.groups, self.params = (), []
        self.attempted = self.applied = self.skipped = 0
        self.how = ""
        self.next = 1
        self.written = 0
        self.run = None  # skips in a row that are not written yet: [from, until, scale]
        self.streak = 0  # skips in a row
        self.pending = []  # (attempt, flag on a device, scale on a device)

    def held(self):
        """All parameters of the optimizer, in order: made anew when a group was
        added, or a parameter that is looked at was replaced."""
        optimizer = self.optimizer()
        if optimizer is None:
            return []
        groups = [(id(held), len(held), id(held[0]), id(held[-1])) for held in [g["params"] for g in optimizer.param_groups] if held]
        if groups != self.groups or self.attempted & REFRESH == 0:
            self.groups, self.params = groups, [p for g in optimizer.param_groups for p in g["params"]]
        return self.params

    def gone(self, ref):
        self.groups, self.params = (), []

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
        if not self.pending and not on_device(flag):
            self.judge(attempt, float(flag), scale)
            self.tick()
            return
        self.pending.append((attempt, flag, scale))
        if not on_device(flag) or len(self.pending) >= PENDING:
            self.settle()

    def settle(self):
        """Reads the flags that are still on a device, in one copy."""
        pending, self.pending = self.pending, []
        for (attempt, _, _), flag, scale in zip(pending, numbers([p[1] for p in pending]), numbers([p[2] for p in pending])):
            self.judge(attempt, flag, scale)
        self.tick()

    def judge(self, attempt, flag, scale):
        if flag > 0:
            self.skip(attempt, 0.0 if scale is None else float(scale))
        else:
            self.applied += 1
            self.ends_streak()

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
        planned, samples = self.live.plan()
        self.live.out.write("step", {
            "optimizer": self.name, "step": self.live.step, "planned": planned, "attempted": self.attempted,
            "applied": self.applied, "skipped": self.skipped, "samples": samples, "how": self.how,
        })


class Guard:
    """All optimizers of a process. Listeners are told of each step that was
    applied: listener(optimizer, ledger)."""

    def __init__(self, live):
        self.live = live
        self.ledgers = {}
        self.names = {}
        self.scaling = None  # the attempt of scaler.step that is being made
        self.beginning = []  # told before the first update of each optimizer
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
        kept = self.ledgers.get(id(optimizer))
        if kept is not None and kept.optimizer() is optimizer:
            return kept
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
        module.register_optimizer_step_pre_hook(lambda optimizer, args, kwargs: self.quietly("optimizer step", self.steps, optimizer))
        register(lambda optimizer, args, kwargs: self.quietly("optimizer step", self.stepped, optimizer))

    def profile_hook(self, cls):
        original, guard = cls.profile_hook_step, self

        def profile_hook_step(func, *rest):
            inner = original(func, *rest)

            @functools.wraps(inner)
            def step(optimizer, *args, **kwargs):
                guard.quietly("optimizer step", guard.steps, optimizer)
                out = inner(optimizer, *args, **kwargs)
                guard.quietly("optimizer step", guard.stepped, optimizer)
                return out

            return step

        cls.profile_hook_step = staticmethod(profile_hook_step)

    def steps(self, optimizer):
        if not compiling():
            self.tell(self.before, optimizer)

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
        self.tell(self.listeners, optimizer, ledger, scaled)

    def tell(self, listeners, *args):
        """One that errs steps aside, and the others are told."""
        for listener in listeners:
            try:
                listener(*args)
            except Exception as e:
                self.leave(listener)
                self.live.report("step, " + listener.__module__.rpartition(".")[2], e)

    def leave(self, listener):
        """For one that has nothing to look for any more."""
        self.before = [f for f in self.before if f != listener]
        self.listeners = [f for f in self.listeners if f != listener]

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
            guard.quietly("scaler step", guard.ask, optimizer)
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
                guard.quietly("scaler update", guard.read, scaler)
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
            away = on_device(flag)  # there the scaler goes on to write into its own
            ledger.flagged(ledger.attempted, keep(flag) if away else float(flag), keep(scale) if away else scale)
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

    def quietly(self, what, do, *args):
        try:
            do(*args)
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
    """A copy that stays on its device."""
    return value.detach().clone() if hasattr(value, "detach") else value


def on_device(value):
    return hasattr(value, "device") and not value.is_cpu


def numbers(values):
    """The numbers of 0-d tensors and of plain numbers, in one copy."""
    tensors = [v for v in values if hasattr(v, "detach")]
    if not any(on_device(t) for t in tensors):
        return [0.0 if v is None else float(v) for v in values]  # a stack of one costs more than the look
    import torch

    flat = iter(torch.stack([t.reshape(()).float() for t in tensors]).tolist())
    return [next(flat) if hasattr(v, "detach") else (0.0 if v is None else float(v)) for v in values]
