"""Gradients that are clipped while they still carry the loss scale: the bound is
met by numbers that are as many times too large, and what is left after the
scaler has unscaled them is next to nothing.

What counts is the order at the scaler: a clip of parameters whose optimizer is
unscaled only afterwards, by the step itself or before it. A trainer that raises its bound by
the scale has asked for the scale first and is left alone. Optimizers that divide
by the size of their gradients train all the same: a note."""

import collections
import functools
import math
import sys
import weakref

from trainvet import imports, steps

LOOKED_AT = 10  # first steps in which values are read
TOO_SMALL = 0.5  # of what should have been applied
RAISED = 1e-3  # of the scale: a bound from here on was multiplied by it
IN_A_ROW = 3
SAME = 1e-4  # norms that differ by less were clipped to one bound
VARIES = 1e-2  # what the norm of one parameter does meanwhile, where the gradients are not simply the same

# State by which an optimizer divides, and optimizers that take the sign.
DIVIDES = ("exp_avg_sq", "square_avg", "exp_inf", "sum", "prev", "acc_delta", "exp_avg_sq_row", "max_exp_avg_sq")
SIGNS = ("Lion", "SignSGD", "Signum", "Muon")


class Guard:
    def __init__(self, live, stepping):
        self.live = live
        self.stepping = stepping
        self.clips = []  # since the last step of a scaler
        self.scaled = self.asked = False  # a loss was scaled, and then the scale was asked for
        self.sizes = {}  # by optimizer id: Sizes at its first steps, as the scaler got them
        self.notes = (("scale", self.loss_scaled), ("get_scale", self.scale_asked), ("unscale_", self.before_unscaling), ("step", self.before_step), ("update", self.after_step))
        for name, note in self.notes:
            stepping.scaler_calls[name].append(note)

    def actions(self):
        return {"torch.nn.utils.clip_grad": self.clipping}

    def clipping(self, module):
        for name, bound, size in (("clip_grad_norm_", "max_norm", norm_of), ("clip_grad_value_", "clip_value", largest)):
            original = getattr(module, name, None)
            if original is not None:
                imports.put(module, name, self.noting(original, bound, size))

    def noting(self, original, bound, size):
        guard = self

        @functools.wraps(original)
        def clip(*args, **kwargs):
            if not guard.watched():
                return original(*args, **kwargs)
            call = dict(zip(("parameters", bound), args), **kwargs)
            parameters = call.get("parameters")
            if parameters is not None and not isinstance(parameters, sys.modules["torch"].Tensor):
                parameters = call["parameters"] = list(parameters)  # a generator is read twice
            guard.quietly(lambda: guard.clip(parameters, call[bound], size))
            return original(**call) if len(args) < 3 else original(call.pop("parameters"), call.pop(bound), *args[2:], **call)

        return clip

    def watched(self):
        return self.scaled and self.live.step < LOOKED_AT and not steps.unreadable()

    def clip(self, parameters, bound, size):
        held = [p for p in ([parameters] if hasattr(parameters, "grad") else parameters) if p.grad is not None and steps.plain(p.grad)]
        if held:
            self.clips.append(Clip(held, float(bound), size(held), self.asked))

    # the scaler

    def loss_scaled(self, scaler, *_):
        self.scaled, self.asked = True, False

    def scale_asked(self, scaler):
        self.asked = True

    def after_step(self, scaler, *_):
        self.clips, self.asked = [], False
        if self.live.step >= LOOKED_AT:
            for _, note in self.notes:
                self.stepping.unnoted(note)

    def before_unscaling(self, scaler, optimizer=None):
        if self.stepping.scaling is None:  # not by the step
            self.before_step(scaler, optimizer)

    def before_step(self, scaler, optimizer=None):
        """Of an optimizer that nobody unscaled: its step does, after all clips."""
        optimizer = steps.bare(optimizer)
        if optimizer is None or not self.watched():
            return
        state = getattr(scaler, "_per_optimizer_states", {}).get(id(optimizer), {})
        if getattr(state.get("stage"), "name", "READY") != "READY":
            return
        params = [p for g in optimizer.param_groups for p in g["params"] if p.grad is not None and steps.plain(p.grad)]
        scale = float(scaler._scale) if getattr(scaler, "_scale", None) is not None else 1.0
        if params and scale > 1 and not math.isinf(scale):
            self.judge(optimizer, params, scale)

    def judge(self, optimizer, params, scale, sizes=None):
        """Sizes: of the gradients as the scaler was given them, where they are not so
        any more."""
        own = {id(p) for p in params}
        for clip in self.clips:
            if clip.of(own) and clip.share(scale) < TOO_SMALL:
                self.say(optimizer, params, clip.bound, scale, "clipped at %g before they were unscaled, the loss scale is %g: %.2g of them was applied" % (clip.bound, scale, clip.share(scale)))
                return
        self.by_hand(optimizer, params, scale, sizes or sizes_of(params))

    def by_hand(self, optimizer, params, scale, sizes):
        """No function was called, and yet step after step the scaler gets gradients
        of one and the same norm, or whose values end at one bound, far below the
        scale."""
        if not math.isfinite(sizes.norm):
            return
        seen = self.sizes.setdefault(id(optimizer), [])
        seen.append(sizes)
        if len(seen) < IN_A_ROW:
            return
        norms, firsts, bounds = zip(*seen[-IN_A_ROW:])
        for what, sizes, same, vary in (("of norm", norms, SAME, spread(firsts) > VARIES), ("cut off at", bounds, 0.0, spread(norms) > SAME)):
            if 0 < max(sizes) < RAISED * scale and spread(sizes) <= same and vary:
                self.say(optimizer, params, sizes[-1], scale, "%s %.4g at each step before they are unscaled, the loss scale is %g: they were clipped while they were scaled" % (what, sizes[-1], scale), IN_A_ROW - 1)

    def say(self, optimizer, params, bound, scale, how, before=0):
        ledger = self.stepping.ledger(optimizer)
        size = bound / scale / math.sqrt(sum(p.numel() for p in params))
        free = divides(optimizer, size)
        at = max(ledger.attempted - before, 1)  # the attempt that is being made is counted
        text = "the gradients of %s are %s" % (ledger.name, how)
        if free:
            text += "; it divides by the size of its gradients, and trains all the same"
        self.live.finding("clipped-before-unscale", "note" if free else "degrade", text, since=at, name=ledger.name, once=id(optimizer))

    def quietly(self, do):
        try:
            do()
        except Exception as e:
            self.live.report("clip", e)


class Clip:
    """One call: of which parameters, to which bound, how large they were."""

    def __init__(self, held, bound, size, asked):
        self.parameters = [weakref.ref(p) for p in held]
        self.bound, self.size, self.asked = bound, size, asked

    def of(self, own):
        return any(id(r()) in own for r in self.parameters)

    def share(self, scale):
        """What was left of what the bound, held against the true gradients,
        would have left."""
        if not math.isfinite(self.size) or self.size <= self.bound or (self.asked and self.bound >= RAISED * scale):
            return 1.0
        return (self.bound / self.size) / min(1.0, self.bound * scale / self.size)


def divides(optimizer, size):
    """Whether its steps are as large, however small its gradients: they must not
    come near what it adds to the divisor."""
    names = {k for s in list(optimizer.state.values())[:1] for k in s}
    group = optimizer.param_groups[0]
    kind = type(optimizer).__name__
    free = bool(names & set(DIVIDES)) or "betas" in group or kind in SIGNS or kind in ("Adagrad", "RMSprop", "Rprop", "Adadelta", "Adafactor")
    eps = group.get("eps", 0.0)
    return free and (not isinstance(eps, float) or size > 3 * eps)


Sizes = collections.namedtuple("Sizes", ("norm", "first", "bound"))  # of all gradients, of the first one, of the values that stand at the largest, where they are several (else 0)


def sizes_of(params):
    bound = largest(params)
    standing = sum(int((p.grad.detach().abs() == bound).sum()) for p in params)
    return Sizes(norm_of(params), norm_of(params[:1]), bound if standing > 1 else 0.0)


def norm_of(params):
    torch = sys.modules["torch"]
    by_device = {}
    for p in params:
        by_device.setdefault(p.grad.device, []).append(p.grad.detach().float().norm())
    return math.sqrt(sum(float(torch.stack(norms).norm()) ** 2 for norms in by_device.values()))


def spread(norms):
    return (max(norms) - min(norms)) / max(norms) if max(norms) else 0.0


def largest(params):
    return max((float(p.grad.detach().abs().max()) for p in params if p.grad.numel()), default=0.0)
