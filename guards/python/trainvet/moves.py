"""Whether what trains moves: steps that change nothing, gradients that no step
ever uses, parameters that left the model while its optimizer kept them, parts that
say of themselves that they are frozen.

The version counter of a parameter does not say whether what was written is another
number, nor sees what is written past it. Values decide: a few of three parameters
at each look, that with the largest gradient among them, and all of them before
anything is said. A learning rate of 0 or next to it, gradients of 0 and steps that
a scaler threw away move nothing and are no fault; nor is an optimizer that gathers
several steps into one, which moves sooner or later."""

import re
import sys
import weakref

from trainvet import frozen, gate

IN_A_ROW = 3  # steps that change nothing, from which on it is a note
FOR_GOOD = 16  # and from which on it is a finding; also where they are the last ones
RESOLUTION = 1e-6  # of a value: what a step changes less, rounding may take
SMALL = 1e-3
MAX_COPY = 1 << 20  # values of a parameter that are kept to compare all of them
FROZEN = re.compile(r"^_?(is_)?(frozen|freeze)(_|$)", re.I)
LATER = re.compile(r"epoch|step|iter|until|after|every|delay|warm|prob|norm|bn|_p$", re.I)  # when, how often, or of the norms alone


class Guard:
    """Training is the guard that sees backward, models knows the models."""

    def __init__(self, live, stepping, training, models):
        self.live, self.stepping, self.training, self.models = live, stepping, training, models
        self.watched = {}  # by optimizer id
        self.declared = []  # (module's name, attribute, value, weakref, place) of what says that it is frozen
        stepping.seldom_before.append(self.stepping_now)
        stepping.seldom.append(self.stepped)
        training.unused.append(self.after_backward)
        models.modes.listeners.append(self.mode_set)
        live.after.append(self.summary)

    def stepping_now(self, optimizer):
        w = self.watched.get(id(optimizer))
        if w is not None and self.stepping.scaling is None and w.due(w.ledger.attempted + 1):
            w.before()

    def stepped(self, optimizer, ledger, scaled):
        w = self.watched.get(id(optimizer))
        if w is None or w.optimizer() is not optimizer:
            w = self.watched[id(optimizer)] = Watched(optimizer, ledger)
        w.stepped()
        if w.looking:
            w.looking = False
            if not scaled and not gate.unreadable():
                self.judge(w)
        if w.steps <= IN_A_ROW:
            self.first_steps(w, optimizer, ledger)

    def judge(self, w):
        stood = w.stood()
        if stood is None:  # a learning rate of 0, no gradient: nothing to move by
            w.without_rate()
            return
        w.rateless = None
        if not stood:
            w.still = 0
            w.copies = None
            return
        at = max(self.live.step, 1)
        w.still += 1
        w.ledger.closely(1)
        if w.still == 1:
            w.since = at
            w.place = self.live.out.place()
        if w.still == IN_A_ROW:
            self.still(w, "note")
        if w.still == FOR_GOOD:
            self.still(w, "degrade")

    def still(self, w, effect):
        self.live.finding("parameters-stand-still", effect,
                          "since step %d the steps of %s change none of its parameters, though there are gradients and the learning rate is not 0" % (w.since, w.ledger.name),
                          since=w.since, name=w.ledger.name, once=(effect, id(w)), place=w.place)

    # gradients that are made anew and never used

    # Gradients of the first backward after a step are used by the next one. Those of
    # the second are noted, from the third on they are compared: a trainer that makes
    # a step after each backward pays nothing.

    def after_backward(self):
        for w in self.watched.values():
            n = self.training.backwards - w.ledger.backwards
            if n < 2:
                continue
            w.since_step()
            fresh = w.fresh_gradient()
            if n > 2 and fresh:
                w.unused += 1 if w.unused else min(n, 3)
                self.not_used(w)

    def not_used(self, w):
        if w.unused_since is None:
            w.trains = self.trains(w)
            w.unused_since = max(self.live.step, 0) + 1
            w.unused_place = self.live.out.place()
            w.remember()
        elif w.unused > IN_A_ROW and w.evaluated:
            w.went_on = True
        if w.unused == FOR_GOOD and w.trains:
            if w.moved_since():
                w.unused, w.unused_since = 0, None  # by a step that nobody saw: compiled, or by hand
            else:
                self.unused(w, "note")

    def trains(self, w):
        """Whether gradients are made to train by: not those of a model that sleeps."""
        roots = [r.ref() for r in list(self.models.modes.roots.values())]
        held = {id(p) for p in w.ledger.held()}
        own = [m for m in roots if m is not None and any(id(p) in held for p in m.parameters())]
        return not own or any(m.training for m in own)

    def mode_set(self, module, training):
        """An evaluation after gradients that nobody used."""
        if not training:
            for w in self.watched.values():
                w.since_step()
                w.evaluated = w.evaluated or w.unused >= IN_A_ROW

    def never_used(self, w):
        """Until the end, by a training that went on: not a look at the gradients of
        a model that is done."""
        w.since_step()
        return w.unused >= IN_A_ROW and w.trains and (w.went_on or w.unused > 2 * w.steps) and not w.moved_since()

    def unused(self, w, effect):
        self.live.finding("parameters-stand-still", effect,
                          "since step %d gradients are made and cleared, and no step of %s uses them: its parameters stand still" % (w.unused_since, w.ledger.name),
                          since=w.unused_since, name=w.ledger.name, once=(effect, id(w), "unused"), place=w.unused_place)

    # the first steps

    def first_steps(self, w, optimizer, ledger):
        if w.steps == 1:
            w.reached = [weakref.ref(p) for p in self.training.leaves or () if isinstance(p, sys.modules["torch"].nn.Parameter)]
            w.idle = [i for i, p in enumerate(ledger.held()) if p.grad is None and p.requires_grad]
            return
        held = ledger.held()
        w.idle = [i for i in w.idle if i < len(held) and held[i].grad is None]
        if w.steps == IN_A_ROW:
            if w.idle and len(w.idle) < len(held):
                with self.live.budget:
                    self.left_the_model(w, [held[i] for i in w.idle], len(held))
            if not self.declared:
                with self.live.budget:
                    self.find_declared()

    def left_the_model(self, w, idle, all_held):
        """Parameters of the optimizer that no module holds any more, while the loss
        reaches others that no optimizer holds."""
        held = {id(p) for l in list(self.stepping.ledgers.values()) for p in l.held()}
        strangers = [p for p in (r() for r in w.reached) if p is not None and p.requires_grad and id(p) not in held]
        if not strangers:
            return
        in_modules = {id(p) for m in frozen.modules() for p in m.__dict__.get("_parameters", {}).values()}
        orphans = [p for p in idle if id(p) not in in_modules]
        if orphans and any(id(p) in in_modules for p in strangers):
            self.live.finding("optimizer-stale", "degrade",
                              "%d of the %d parameters of %s are in no module any more and have no gradient; %d that the loss reaches are in no optimizer (the first of shape %s)"
                              % (len(orphans), all_held, w.ledger.name, len(strangers), "x".join(map(str, strangers[0].shape))),
                              since=1, name=w.ledger.name, once=("left", id(w)))

    # parts that say that they are frozen

    def find_declared(self):
        place = self.live.out.place()
        for root in self.models.trained():
            for name, module in root.named_modules():
                said = next(((k, v) for k, v in vars(module).items() if FROZEN.match(k) and not LATER.search(k) and says_so(v)), None)
                if said is not None and trains_whole(module):
                    title = type(module).__name__ + (" (%s)" % name if name else "")
                    self.declared.append((title, said, weakref.ref(module), place))
        for title, said, _, place in self.declared[:1]:
            self.declared_trains("note", title, said, place)

    def declared_trains(self, effect, title, said, place):
        self.live.finding("declared-frozen-trains", effect, "%s says %s=%r, and all of its parameters get gradients" % ((title,) + said[:1] + said[1:]),
                          since=1, name=title, once=effect, place=place)

    def summary(self):
        for w in self.watched.values():
            if IN_A_ROW <= w.still < FOR_GOOD:
                self.still(w, "degrade")
            if self.never_used(w):
                self.unused(w, "degrade")
            if w.never_had_rate():
                self.live.finding("parameters-stand-still", "degrade",
                                  "the learning rate of %s was 0 at each of its %d steps, and another one was asked for: a schedule that never rises" % (w.ledger.name, w.steps),
                                  since=1, name=w.ledger.name, once=("rate", id(w)))
        for title, said, ref, place in self.declared:
            module = ref()
            if module is not None and trains_whole(module, graded=False):
                self.declared_trains("degrade", title, said, place)
                return

    def forked(self):
        self.watched, self.declared = {}, []


class Watched:
    """One optimizer and the three parameters that stand for all of its own."""

    def __init__(self, optimizer, ledger):
        self.optimizer, self.ledger = weakref.ref(optimizer), ledger
        self.steps = self.still = self.since = 0
        self.looking, self.place, self.copies = False, None, None
        self.seen = []  # (parameter, its values before the step)
        self.reached, self.idle = [], []
        self.backwards = -1  # until the last step, when unused was counted
        self.unused, self.unused_since, self.unused_place = 0, None, None
        self.trains = self.evaluated = self.went_on = False
        self.middle = self.gradient = None  # a parameter, and its gradient as it was seen last
        self.version = 0
        self.values = None
        self.rateless = []  # values at the first look, at a rate of 0; None: it had one, or was meant to have none

    def stepped(self):
        self.steps = max(self.steps + 1, self.ledger.attempted - self.ledger.skipped)

    def since_step(self):
        """A step was made since this was last looked at: it used what there was."""
        if self.backwards != self.ledger.backwards:
            self.backwards = self.ledger.backwards
            self.unused, self.unused_since, self.evaluated, self.went_on = 0, None, False, False
            held = self.ledger.held()
            self.middle = weakref.ref(held[len(held) // 2]) if held else None

    def due(self, n):
        """In the first steps, later whenever the number of steps grows by an
        eighth to a quarter, and in a stretch that is being looked at."""
        return n <= gate.LOOKED_AT or self.still > 0 or n % (1 << max(n.bit_length() - 3, 0)) == 0

    def probes(self):
        held = self.ledger.held()
        some = {0, len(held) // 2, len(held) - 1} if held else ()
        return [held[i] for i in some if held[i].requires_grad and gate.plain(held[i]) and held[i].device.type != "meta" and held[i].numel()]

    def before(self):
        if gate.unreadable():
            return
        self.seen = [(p, sample(p), strongest(p)) for p in self.probes() if p.grad is not None and gate.plain(p.grad) and p.grad.shape == p.shape]
        if self.still and self.copies is None:
            self.copies = [(weakref.ref(p), p.detach().clone()) for p, _, _ in self.seen if p.numel() <= MAX_COPY]
        self.looking = bool(self.seen)

    def stood(self):
        """Whether none of them has moved; None where none had to."""
        seen, self.seen = self.seen, []
        optimizer = self.optimizer()
        rates = {id(p): float(g.get("lr", 1.0)) for g in optimizer.param_groups for p in g["params"]}
        if not all(torch_equal(sample(p), values) and at(p, place) == was for p, values, (place, was, _) in seen):
            return False
        if not any(rates.get(id(p), 1.0) * min(gradient, 1.0) > RESOLUTION * max(abs(was), SMALL) for p, _, (_, was, gradient) in seen):
            return None
        if self.still == IN_A_ROW - 1 and self.copies:
            return all(r() is None or torch_equal(r().detach(), c) for r, c in self.copies)
        return True

    def without_rate(self):
        """A rate of 0 where another one was asked for: a warm-up that may come."""
        groups = self.optimizer().param_groups
        asked = any(g.get("initial_lr", self.optimizer().defaults.get("lr", 0)) > 0 for g in groups)
        if not asked or any(g.get("lr", 1) for g in groups):
            self.rateless = None
        elif self.rateless == []:
            self.rateless = [(weakref.ref(p), sample(p)) for p in self.probes()]

    def never_had_rate(self):
        return self.steps >= FOR_GOOD and bool(self.rateless) and all(r() is None or torch_equal(sample(r()), v) for r, v in self.rateless)

    # gradients between steps

    def fresh_gradient(self):
        """Whether backward has made the gradient anew, not added to what was there."""
        p = self.middle() if self.middle is not None else None
        gradient = p.grad if p is not None else None
        if gradient is None:
            return False
        last = self.gradient() if self.gradient is not None else None
        version = gradient._version
        fresh = last is not gradient or version > self.version + 1
        self.gradient, self.version = weakref.ref(gradient), version
        return fresh

    def remember(self):
        self.values = [(weakref.ref(p), sample(p)) for p in self.probes()] if not gate.unreadable() else None

    def moved_since(self):
        if not self.values:
            return True  # not known
        return any(r() is None or not torch_equal(sample(r()), v) for r, v in self.values)


def strongest(p):
    """Where the gradient is largest, what stands there, and how large it is."""
    gradient = p.grad.detach().reshape(-1).abs()
    place = int(gradient.argmax())
    return place, at(p, place), float(gradient[place])


def at(p, place):
    return float(p.detach().reshape(-1)[place])


def sample(p):
    """A few values, where they lie: no copy to the host."""
    flat = p.detach().reshape(-1)
    n = flat.numel()
    return flat[:: max(n // 16, 1)].clone()


def torch_equal(a, b):
    return a.shape == b.shape and sys.modules["torch"].equal(a, b)


def says_so(value):
    if isinstance(value, (bool, int)):
        return value is True or (type(value) is int and value > 0)
    return isinstance(value, (list, tuple)) and bool(value) and all(isinstance(v, (str, int)) for v in value)


def trains_whole(module, graded=True):
    """Whether every parameter in it trains: not one is frozen, or without a gradient."""
    own = list(module.parameters())
    return bool(own) and all(p.requires_grad and (not graded or p.grad is not None) for p in own)
