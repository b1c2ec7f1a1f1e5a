"""Loss scalers that a trainer wrote itself: a class with scale(loss), step(optimizer)
and update(), as a library has it.

Which of its steps it threw away is seen from outside: the optimizer made none within it.
That it was an overflow, and no step that was put off, the gradients say, which are not
finite, or the scale, which falls at the next update. Whether it unscales within its step
is measured as well: only then a clip before it was a clip of scaled gradients."""

import functools
import math
import sys
import threading
import weakref

from trainvet import clipped, gate, steps

CALLS = ("scale", "step", "update")
UNSCALES = ("unscale_", "unscale", "unscale_grads", "unscale_gradients")
NO_SCALE = ("init", "min", "max", "growth", "backoff", "factor", "window", "interval", "tolerance")
ABOUT = 2.0  # how far what the step divides by may be from the scale


def is_scaler(cls):
    torch = sys.modules.get("torch")
    if torch is None or issubclass(cls, torch.nn.Module) or any(c.__module__.partition(".")[0] == "torch" for c in cls.__mro__):
        return False  # one that is derived from the library's is seen as that
    return all(callable(getattr(cls, name, None)) for name in CALLS)


class Guard:
    """Clips is the guard of clipping."""

    def __init__(self, live, stepping, clips):
        self.live, self.stepping, self.clips = live, stepping, clips
        self.scalers = weakref.WeakKeyDictionary()
        self.local = threading.local()

    def wrap(self, cls):
        for names, maker in ((("scale",), self.scaling), (UNSCALES, self.unscaling), (("step",), self.stepped), (("update",), self.updated)):
            for name in names:
                owner = next((c for c in cls.__mro__ if name in c.__dict__), None)
                original = owner.__dict__[name] if owner is not None else None
                if callable(original) and not getattr(original, "__trainvet__", False):
                    made = functools.wraps(original)(maker(original))
                    made.__trainvet__ = True
                    setattr(owner, name, made)

    def state(self, scaler):
        kept = self.scalers.get(scaler)
        if kept is None:
            kept = self.scalers[scaler] = State()
        return kept

    def quietly(self, do, *args):
        if gate.compiling():
            return None
        try:
            return do(*args)
        except Exception as e:
            self.live.report("a scaler of the trainer's own", e)
            return None

    def scaling(self, original):
        guard = self

        def scale(scaler, *args, **kwargs):
            guard.quietly(guard.loss_scaled)
            return original(scaler, *args, **kwargs)

        return scale

    def unscaling(self, original):
        guard = self

        def unscale(scaler, optimizer=None, *args, **kwargs):
            given = () if optimizer is None else (optimizer,)
            guard.quietly(lambda: guard.state(scaler).unscaled.add(id(steps.bare(optimizer))))
            return original(scaler, *given, *args, **kwargs)

        return unscale

    def stepped(self, original):
        guard = self

        def step(scaler, optimizer=None, *args, **kwargs):
            given = () if optimizer is None else (optimizer,)
            if not hasattr(optimizer, "param_groups") or getattr(guard.local, "inside", False):
                return original(scaler, *given, *args, **kwargs)
            guard.local.inside = True
            begun = guard.quietly(guard.begin, scaler, steps.bare(optimizer))
            try:
                out = original(scaler, *given, *args, **kwargs)
            finally:
                guard.local.inside = False
            if begun is not None:
                guard.quietly(guard.ended, scaler, begun)
            return out

        return step

    def updated(self, original):
        guard = self

        def update(scaler, *args, **kwargs):
            out = original(scaler, *args, **kwargs)
            guard.quietly(guard.update, scaler)
            return out

        return update

    def loss_scaled(self):
        """Who asks for the scale of such a one is not seen: a bound that is as large
        was raised by it."""
        if self.live.step < gate.LOOKED_AT:
            self.clips.loss_scaled(None)
            self.clips.scale_asked(None)

    def begin(self, scaler, optimizer):
        call = Call(self.stepping.ledger(optimizer), optimizer, scale_of(scaler))
        if self.clips.watched() and id(optimizer) not in self.state(scaler).unscaled:
            call.measure()
        return call

    def ended(self, scaler, call):
        state = self.state(scaler)
        if call.ledger.attempted != call.attempted:
            if call.unscaled_within():
                self.clips.judge(call.optimizer, call.params, call.scale, call.sizes)
        elif not gate.unreadable() and overflows(call.ledger):
            self.thrown_away(call)
        else:
            state.doubts.append(call)

    def update(self, scaler):
        state = self.state(scaler)
        doubts, state.doubts = state.doubts, []
        state.unscaled.clear()
        now = scale_of(scaler)
        for call in doubts:
            if call.scale and now and now < call.scale:
                self.thrown_away(call)
        if self.live.step < gate.LOOKED_AT:
            self.clips.after_step(None)

    def thrown_away(self, call):
        ledger = call.ledger
        ledger.attempted += 1
        self.live.step = max(self.live.step, ledger.attempted)
        ledger.how = "found-inf"
        ledger.skip(ledger.attempted, call.scale or 1.0)
        ledger.tick()

    def forked(self):
        self.scalers = weakref.WeakKeyDictionary()


class State:
    """Of one scaler, since its last update."""

    def __init__(self):
        self.unscaled = set()  # ids of optimizers
        self.doubts = []  # calls in which no step was made


class Call:
    """One call of a scaler's step."""

    def __init__(self, ledger, optimizer, scale):
        self.ledger, self.optimizer, self.scale = ledger, optimizer, scale
        self.attempted = ledger.attempted
        self.params, self.sizes = [], None

    def measure(self):
        if self.scale is None or not self.scale > 1 or math.isinf(self.scale):
            return
        self.params = [p for p in self.ledger.held() if p.grad is not None and gate.plain(p.grad)]
        if self.params:
            self.sizes = clipped.sizes_of(self.params)

    def unscaled_within(self):
        """Whether the gradients are as many times smaller now as the scale is large."""
        if self.sizes is None or any(p.grad is None for p in self.params):
            return False
        norm = clipped.norm_of(self.params)
        return norm > 0 and math.isfinite(self.sizes.norm) and self.scale / ABOUT < self.sizes.norm / norm < self.scale * ABOUT


def overflows(ledger):
    return any(p.grad is not None and gate.plain(p.grad) and not bool(p.grad.isfinite().all()) for p in ledger.held())


def scale_of(scaler):
    """The number among its attributes that is called a scale; None: there is none, or
    it lies on a device."""
    for name, value in getattr(scaler, "__dict__", {}).items():
        low = name.lower()
        if "scale" in low and not any(part in low for part in NO_SCALE):
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                return float(value)
            if gate.plain(value) and value.numel() == 1 and value.is_cpu:
                return float(value)
    return None
