"""Where the first value that is not finite came from: once, when it is seen. Which
parameters, buffers and gradients are not finite then and which still are, the loss
scale, the samples, the losses of the last steps.

Until then the losses that are read anyway are kept, and one parameter is looked at
after a step, in turn, as long as there is time. A parameter that stays so is lost:
nobody went back to an earlier one."""

import sys
import weakref

from trainvet import gate
from trainvet.ledger import OFTEN

NAMED = 4
EVERY, LATER = 8, 64  # steps, after the first, and behind the step from which on looks are seldom
STAYS = 3  # steps after which a parameter was not restored
FEW = 4096  # values that are looked at of one parameter


class Guard:
    """Samples, where somebody knows it, gives the ids of the last batch."""

    def __init__(self, live, stepping, training, models):
        self.live, self.stepping, self.training, self.models = live, stepping, training, models
        self.samples = lambda: None
        self.scaler = None
        self.told = False
        self.looking = None  # what was found before backward, the gradients are to come
        self.lost = None  # [weakref of a parameter, its name, first step, place, steps]
        self.known = set()  # ids of what was not finite before the first step
        stepping.scaler_calls["scale"].append(self.scaling)
        stepping.beginning.append(self.begins)
        stepping.seldom.append(self.stepped)
        training.odd.append(self.loss)

    def scaling(self, scaler, *_):
        """Of the first step: later ones the steps know."""
        self.scaler = weakref.ref(scaler)
        if self.live.step > 0:
            self.stepping.unnoted(self.scaling)

    def live_scaler(self):
        known = self.stepping.scaler or self.scaler
        scaler = known() if known is not None else None
        return scaler if scaler is not None and getattr(scaler, "_enabled", False) else None

    def loss(self, loss):
        value = self.training.loss
        if value - value == 0:
            return
        if self.training.bad_since == self.training.next_step():
            for ledger in self.stepping.ledgers.values():
                ledger.closely(STAYS)
        if not self.told:
            with self.live.budget:
                self.looking = ["the loss is %r" % value] + self.state()
            self.training.after.append(self.gradients)

    def gradients(self):
        self.training.after.leave(self.gradients)
        if self.looking is not None:
            found, self.looking = self.looking, None
            if not gate.unreadable():
                with self.live.budget:
                    self.tell(found + self.gradients_found(), self.training.next_step())

    # after a step

    def begins(self, optimizer):
        """What is not finite before the first step is none of its doing."""
        if not gate.unreadable():
            with self.live.budget:
                self.known.update(id(p) for g in optimizer.param_groups for p in g["params"] if bad(p))

    def stepped(self, optimizer, ledger, scaled):
        if self.lost is not None:
            ledger.closely(1)
            self.still_lost()
            return
        for p in self.suspects(ledger):
            if p.requires_grad and id(p) not in self.known and not gate.unreadable():
                with self.live.budget:
                    if bad(p):
                        self.found(p, ledger)
                        return

    def suspects(self, ledger):
        """All of its parameters where the loss says so, else one of them in turn."""
        n = ledger.attempted
        if self.training.bad_since is not None:
            return ledger.held()
        every = 1 if n <= gate.LOOKED_AT else EVERY if n <= OFTEN else LATER
        held = ledger.held() if n % every == 0 and (every == 1 or self.live.budget.allows()) else ()
        return [held[n // every % len(held)]] if held else ()

    def found(self, p, ledger):
        at = min(max(self.live.step, 1), self.training.bad_since or sys.maxsize)
        name = self.name_of(p)
        self.lost = [weakref.ref(p), name, at, self.live.out.place(), 0]
        ledger.closely(1)
        if not self.told:
            self.tell(["a step of %s" % ledger.name] + self.state() + self.gradients_found(), at)

    def still_lost(self):
        ref, name, at, place, n = self.lost
        if n >= STAYS:
            return
        p = ref()
        if p is None or gate.unreadable() or not bad(p):
            self.lost = None
            return
        self.lost[4] = n + 1
        if n + 1 == STAYS:
            self.live.finding("nonfinite-parameter", "poison", "since step %d %s holds NaN or infinity, and is trained on: a step applied gradients that were not finite" % (at, name),
                              since=at, name=name, once=("lost", name), place=place)

    # what is told

    def state(self):
        parameters, buffers, n = [], [], 0
        for name, t, buffer in self.tensors():
            n += not buffer
            if bad(t, whole=True):
                (buffers if buffer else parameters).append(name)
        out = []
        if n:
            out = ["of %d parameters before it none is" % n if not parameters else "of %d parameters %s" % (n, names(parameters))]
        return out + (["buffers: " + names(buffers)] if buffers else [])

    def gradients_found(self):
        having = [(n, t.grad) for n, t, buffer in self.tensors() if not buffer and t.grad is not None]
        not_finite = [n for n, g in having if bad(g, whole=True)]
        return ["of %d gradients %s" % (len(having), names(not_finite) if not_finite else "none is")] if having else []

    def tell(self, found, at):
        self.told = True
        scale = getattr(self.live_scaler(), "_scale", None)
        if scale is not None:
            found.append("loss scale %g" % float(scale))
        samples = self.samples()
        if samples:
            found.append("samples " + ", ".join(map(str, list(samples)[:16])))
        if self.training.losses:
            found.append("losses until then " + " ".join("%.4g" % v for v in self.training.losses))
        self.live.finding("first-nonfinite", "note", "not finite for the first time at step %d: %s" % (at, "; ".join(found)), since=at, until=at, once="first")

    def tensors(self):
        """Of the models that train, in the order of their modules; else of the
        optimizers."""
        seen = set()
        for root in self.models.trained():
            for n, p in root.named_parameters():
                seen.add(id(p))
                yield n, p, False
            for n, b in root.named_buffers():
                yield n, b, True
        for ledger in list(self.stepping.ledgers.values()):
            for i, p in enumerate(ledger.held()):
                if id(p) not in seen:
                    yield "parameter %d of %s" % (i, ledger.name), p, False

    def name_of(self, p):
        return next((n for n, t, _ in self.tensors() if t is p), "a parameter")

    def forked(self):
        self.told, self.looking, self.lost = False, None, None


def names(found):
    more = len(found) - NAMED
    return ", ".join(found[:NAMED]) + (" and %d more" % more if more > 0 else "") + (" are" if len(found) > 1 else " is")


def bad(t, whole=False):
    """Whether a tensor holds NaN or infinity, in a part that is looked at."""
    torch = sys.modules["torch"]
    if not gate.plain(t) or not t.is_floating_point() or t.element_size() < 2 or not t.numel() or t.device.type == "meta":
        return False
    flat = t.detach().reshape(-1)
    if not whole and flat.numel() > FEW:
        flat = flat[:: -(-flat.numel() // FEW)]
    return not bool(torch.isfinite(flat).all())
