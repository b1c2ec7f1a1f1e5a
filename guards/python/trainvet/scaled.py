"""Steps that are made with gradients of a scaled loss, past the scaler: 65536
times too large, and nothing raises.

A trainer may unscale by itself. One that asks for the scale between the loss and
the step, calls unscale_, or uses the scaler for any of its steps, is left alone."""

import functools

from trainvet import steps

IN_A_ROW = 3


class Guard:
    def __init__(self, live, stepping):
        self.live = live
        self.losses = 0  # scaled since the scaler was last asked for anything else
        self.trusted = False  # the scaler makes steps
        self.seen = {}  # by optimizer id: (first step, how many in a row, losses at the last)
        stepping.listeners.append(self.stepped)
        stepping.scaler_classes.append(self.scalers)

    def scalers(self, cls):
        for c in [cls] + cls.__subclasses__():
            for name, note in (("scale", self.scaled), ("get_scale", self.asked), ("unscale_", self.asked), ("step", self.used)):
                original = c.__dict__.get(name)
                if original is not None:
                    setattr(c, name, self.noting(original, note))

    def scaled(self):
        self.losses += 1

    def asked(self):
        self.losses = 0
        self.seen = {}

    def used(self):
        self.trusted = True

    def stepped(self, optimizer, ledger, scaled):
        if scaled or self.trusted or not self.losses:
            return
        at = ledger.attempted
        first, n, losses = self.seen.get(id(optimizer), (at, 0, 0))
        if losses == self.losses:
            return
        self.seen[id(optimizer)] = (first, n + 1, self.losses)
        if n + 1 == IN_A_ROW:
            self.live.finding("scaled-gradient-applied", "degrade",
                              "since step %d %s is stepped directly with the gradients of a scaled loss: the scaler neither unscales nor skips" % (first, ledger.name),
                              since=first, name=ledger.name, once=id(optimizer))

    def noting(self, original, note):
        guard = self

        @functools.wraps(original)
        def method(scaler, *args, **kwargs):
            if not guard.trusted and steps.live_scaler(scaler) and not steps.compiling():
                note()
            return original(scaler, *args, **kwargs)

        method.__trainvet__ = getattr(original, "__trainvet__", False)
        return method
