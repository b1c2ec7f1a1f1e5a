"""The step ledger: which optimizer steps were asked for, which were applied and
which a loss scaler threw away.

Skips are read from found_inf before GradScaler.update() folds it away, never
from the scale: a scale that stands at its floor, or one that hysteresis holds,
skips without moving. On a device the flags stay there until enough have come
together, so that no step waits for one."""

import functools
import weakref

from trainvet import events, gate
from trainvet.gate import compiling, plain, recording, unreadable
from trainvet.live import FINENESS, NONE

__all__ = ["Guard", "Ledger", "bare", "compiling", "live_scaler", "plain", "unreadable"]

REFRESH = 63  # held parameters are listed anew once in so many steps and one
PENDING = 64  # flags on a device that are read at once
CLOSELY = 32  # first steps of an optimizer that the seldom ones are told of, too
OFTEN, SELDOM = 256, (7, 31)  # and then each whose number ends in so many bits that are 0: until step OFTEN, and behind it
NOTED = ("scale", "get_scale", "unscale_")  # of a scaler, beside step and update


class Ledger:
    """The totals of one optimizer."""

    __slots__ = (
        "optimizer", "attempted", "applied", "skipped", "next", "streak", "pending", "close", "due", "begun", "backwards",
        "live", "name", "groups", "params", "how", "written", "run", "__weakref__",
    )

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
        self.begun = False  # its first update was made, or is being made
        self.close = CLOSELY  # up to this attempt each step is looked at closely
        self.due = True  # those who look seldom look at this step
        self.backwards = 0  # calls of backward until its last step
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
        if self.streak:
            self.ends_streak()
        if self.attempted >= self.next:
            self.write()

    def turn(self, attempt):
        """Whether a step that begins is looked at by those who look seldom: kept in
        due until it is over."""
        self.due = self.looked_at(attempt)
        return self.due

    def looked_at(self, attempt):
        return attempt & SELDOM[attempt > OFTEN] == 0 or attempt <= self.close

    def closely(self, steps):
        """So many steps from now on are looked at, each of them."""
        self.close = max(self.close, self.attempted + steps)

    def flagged(self, attempt, flag, scale):
        """What the scaler found at an attempt; both numbers may lie on a device."""
        self.how = "found-inf"
        if not self.pending and not on_device(flag):
            self.judge(attempt, float(flag), scale)
            self.tick()
            return
        self.pending.append((attempt, keep(flag), keep(scale)))  # the scaler goes on to write into its own
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
            if self.streak:
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
    """All optimizers of a process, and who is told of their steps: package gate says
    which of these is for what."""

    __slots__ = (
        "asking", "scaling", "asked", "scaler", "before", "listeners", "live", "scale_moved", "stage", "ledgers",
        "register", "rests", "known", "names", "beginning", "seldom_before", "seldom", "scaler_calls", "methods",
    )

    def __init__(self, live):
        self.live = live
        self.ledgers = {}
        self.names = {}
        self.asking = None  # the ledger of the optimizer that makes its step
        self.scaling = None  # the attempt of scaler.step that is being made
        self.scaler = None  # weakref of the one that made the last step
        self.scale_moved = True  # the scale may be another one than at the last look
        self.stage = None  # of a scaler's optimizer that has made its step
        self.register = None  # puts on the hook before updates
        self.asked = True  # what takes it off again; None: it is off
        self.rests = False  # whether it may be
        self.known = []  # weakrefs of the optimizers that were made, with a step or without
        self.beginning = events.Event()
        self.before, self.listeners = events.Event(self.ask), events.Event()
        self.seldom_before, self.seldom = events.Event(), events.Event()
        self.scaler_calls = {name: events.Event() for name in NOTED + ("step", "update")}  # f(scaler, *args)
        self.methods = events.Replaced()

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

    def there(self):
        """The optimizers that were made here and are still there."""
        return [o for o in (ref() for ref in self.known) if o is not None]

    def optimizers(self, module):
        register = getattr(module, "register_optimizer_step_post_hook", None)
        if register is None:  # before torch 2.0
            self.profile_hook(module.Optimizer)
            return
        self.register = module.register_optimizer_step_pre_hook
        self.asked = self.register(self.steps)
        self.rests = self.made(module.Optimizer)
        register(self.stepped)

    # Behind the first steps most updates have nobody who is to be told before them:
    # the hook is taken off, and put on again in time.

    def ask(self):
        """Somebody is to be told before the next update."""
        if self.asked is None:
            self.asked = self.register(self.steps)

    def rest(self):
        """Nobody is: unless the steps are compiled, which would be done again."""
        if not self.rests or self.asked is None or self.before.told or gate.recorders:
            return
        if all(l.begun and not l.looked_at(l.attempted + 1) for l in self.ledgers.values() if l.optimizer() is not None):
            self.asked.remove()
            self.asked = None

    def made(self, cls):
        """An optimizer that is made, or unpickled, has its first update to come."""
        original, guard = getattr(cls, "_patch_step_function", None), self
        if original is None:
            return False

        @functools.wraps(original)
        def _patch_step_function(optimizer):
            guard.ask()
            guard.known = [r for r in guard.known if r() is not None] + [weakref.ref(optimizer)]
            return original(optimizer)

        cls._patch_step_function = _patch_step_function
        return True

    def profile_hook(self, cls):
        original, guard = cls.profile_hook_step, self

        def profile_hook_step(func, *rest):
            inner = original(func, *rest)

            @functools.wraps(inner)
            def step(optimizer, *args, **kwargs):
                guard.steps(optimizer)
                out = inner(optimizer, *args, **kwargs)
                guard.stepped(optimizer)
                return out

            return step

        cls.profile_hook_step = staticmethod(profile_hook_step)

    def steps(self, optimizer, args=(), kwargs=None):
        """An update is about to be made."""
        if recording():
            return
        try:
            ledger = self.asking
            if ledger is None or ledger.optimizer() is not optimizer:
                ledger = self.asking = self.ledger(optimizer)
            if not ledger.begun:
                ledger.begun = True
                self.tell(self.beginning, optimizer)
            if self.before.told:
                self.tell(self.before, optimizer)
            if ledger.turn(ledger.attempted + (self.scaling is None)):
                self.tell(self.seldom_before, optimizer)
        except Exception as e:
            self.live.report("optimizer step", e)

    def stepped(self, optimizer, args=(), kwargs=None):
        """The update of an optimizer ran; under a scaler whose kernels skip by
        themselves that says nothing yet."""
        if recording():
            return
        try:
            ledger = self.asking
            if ledger is None or ledger.optimizer() is not optimizer:
                ledger = self.asking = self.ledger(optimizer)
            scaled = self.scaling is not None
            if self.asked is None:
                ledger.due = False
            if not scaled:
                ledger.direct()
                if ledger.attempted > self.live.step:
                    self.live.step = ledger.attempted
                if self.asked is None and ledger.looked_at(ledger.attempted + 1):
                    self.ask()
            for listener in self.listeners.told:
                try:
                    listener(optimizer, ledger, scaled)
                except Exception as e:
                    self.erred(listener, e)
            if ledger.due:
                self.tell(self.seldom, optimizer, ledger, scaled)
                self.rest()
        except Exception as e:
            self.live.report("optimizer step", e)

    def tell(self, event, *args):
        """One that errs steps aside, and the others are told."""
        for listener in event.told:
            try:
                listener(*args)
            except Exception as e:
                self.erred(listener, e)

    def erred(self, listener, error):
        self.leave(listener)
        self.unnoted(listener)
        self.live.report("step, " + listener.__module__.rpartition(".")[2], error)

    def leave(self, listener):
        """For one that has nothing to look for any more."""
        for event in (self.beginning, self.before, self.listeners, self.seldom_before, self.seldom):
            event.leave(listener)

    # scalers

    def scalers(self, cls):
        for c in [cls] + cls.__subclasses__():
            for name in NOTED:
                self.wrap(c, name, functools.partial(self.noting, name))
            self.wrap(c, "step", self.scaled_step)
            self.wrap(c, "update", self.scaled_update)

    def wrap(self, cls, name, maker):
        original = cls.__dict__.get(name)
        if original is not None and not getattr(original, "__trainvet__", False):
            made = functools.wraps(original)(maker(original))
            made.__trainvet__ = True
            self.methods.set(cls, name, original, made)

    def noting(self, name, original):
        calls, guard = self.scaler_calls[name], self

        def method(scaler, *args, **kwargs):
            if not recording() and calls.told and live_scaler(scaler):
                guard.tell(calls, scaler, *args)
            return original(scaler, *args, **kwargs)

        return method

    def unnoted(self, f):
        """For one that wants to hear of scalers no more: what nobody wants to hear
        of is the library's own again."""
        for name, calls in self.scaler_calls.items():
            calls.leave(f)
            if name in NOTED and not calls.told:
                self.methods.back(name)

    def scaled_step(self, original):
        calls, guard = self.scaler_calls["step"], self

        def step(scaler, optimizer, *args, **kwargs):
            if recording() or guard.scaling is not None or not getattr(scaler, "_enabled", False):
                return original(scaler, optimizer, *args, **kwargs)
            try:
                if calls.told:
                    guard.tell(calls, scaler, optimizer)
                guard.attempt(scaler, optimizer)
            except Exception as e:
                guard.live.report("scaler step", e)
            try:
                return original(scaler, optimizer, *args, **kwargs)
            finally:
                guard.scaling = None

        return step

    def attempt(self, scaler, optimizer):
        if self.scaler is None or self.scaler() is not scaler:
            self.scaler = weakref.ref(scaler)
        ledger = self.asking
        if ledger is None or ledger.optimizer() is not optimizer:
            ledger = self.asking = self.ledger(optimizer)
        ledger.attempted += 1
        self.scaling = ledger.attempted
        if self.asked is None and ledger.looked_at(ledger.attempted):
            self.ask()
        if ledger.attempted > self.live.step:
            self.live.step = ledger.attempted

    def scaled_update(self, original):
        calls, guard = self.scaler_calls["update"], self

        def update(scaler, *args, **kwargs):
            if not recording() and getattr(scaler, "_enabled", False):
                try:
                    if calls.told:
                        guard.tell(calls, scaler)
                    guard.read(scaler)
                    if args or kwargs:  # another scale is given
                        guard.scale_moved = True
                except Exception as e:
                    guard.live.report("scaler update", e)
            return original(scaler, *args, **kwargs)

        return update

    def read(self, scaler):
        scale = getattr(scaler, "_scale", None)
        look = self.scale_moved
        self.scale_moved = False
        for key, state in scaler._per_optimizer_states.items():
            ledger, found, stage = self.ledgers.get(key), state.get("found_inf_per_device"), state.get("stage")
            if ledger is None or not found or (stage is not self.stage and not self.has_stepped(stage)):
                continue
            flag = next(iter(found.values()))
            if len(found) > 1:
                flag = sum(f.to(flag.device) for f in found.values())
            if ledger.attempted < ledger.next and not ledger.streak and not ledger.pending and not on_device(flag) and not flag:
                ledger.applied += 1  # one more, and nothing else
            else:
                skipped = ledger.skipped
                ledger.flagged(ledger.attempted, flag, scale)
                self.scale_moved = self.scale_moved or ledger.skipped != skipped
            look = look or ledger.due
        if look:
            self.watch_scale(scale)

    def has_stepped(self, stage):
        """An enumeration's own name is asked for once: it takes as long as all else."""
        if getattr(stage, "name", "") != "STEPPED":
            return False
        self.stage = stage
        return True

    def watch_scale(self, scale):
        """A scale of 0 makes NaN of every gradient, which no flag shows."""
        if scale is None or on_device(scale):
            return
        value = float(scale)
        if value != value or value in (float("inf"), float("-inf")):
            self.live.finding("scale-nonfinite", "degrade", "the loss scale is %r" % value, since=self.live.step, once="scale")
        elif value == 0:
            self.live.finding("scale-zero", "degrade", "the loss scale is 0: gradients become NaN, are not seen as overflow, and are applied", since=self.live.step, once="scale")


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
    return not getattr(value, "is_cpu", True)


def numbers(values):
    """The numbers of 0-d tensors and of plain numbers, in one copy."""
    tensors = [v for v in values if hasattr(v, "detach")]
    if not any(on_device(t) for t in tensors):
        return [0.0 if v is None else float(v) for v in values]  # a stack of one costs more than the look
    import torch

    flat = iter(torch.stack([t.reshape(()).float() for t in tensors]).tolist())
    return [next(flat) if hasattr(v, "detach") else (0.0 if v is None else float(v)) for v in values]
