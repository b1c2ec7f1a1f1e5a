"""Optimizer steps as they are made, and what a loss scaler makes of them, for the step
ledger (package ledger) and for all who want to be told.

Skips are read from found_inf before GradScaler.update() folds it away, never
from the scale: a scale that stands at its floor, or one that hysteresis holds,
skips without moving."""

import functools
import weakref

from trainvet import events, gate
from trainvet.gate import compiling, plain, recording, unreadable
from trainvet.ledger import Ledger, on_device

__all__ = ["Guard", "Ledger", "bare", "compiling", "live_scaler", "plain", "unreadable"]

NOTED = ("scale", "get_scale", "unscale_")  # of a scaler, beside step and update


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
