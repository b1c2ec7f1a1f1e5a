"""An optimizer that never makes a step, beside one that does: the loss reaches its
parameters, their gradients are made and cleared, and they stay what they were drawn as.

Whether it is there at all, is asked once, when the other one has made some steps. It is
said at the end: one that begins later is none, nor are parameters that moved."""

import weakref

from trainvet import gate, moves

BEGINS = 16  # steps of another one after which it is looked for
LOOKS = 3  # steps in a row at which its gradients are cleared
NEVER = 32  # steps of another one until the end of a training


class Guard:
    def __init__(self, live, stepping, training):
        self.live, self.stepping, self.training = live, stepping, training
        self.place = None  # where the output stood at the first step
        self.waiting = None  # those that have made no step yet; None: nobody has looked
        stepping.seldom.append(self.stepped)
        live.after.append(self.summary)

    def stepped(self, optimizer, ledger, scaled):
        self.place = self.place or self.live.out.place()
        if ledger.attempted < BEGINS:
            return
        if self.waiting is None:
            with self.live.budget:
                self.waiting = [] if gate.unreadable() else self.find()
        for w in self.waiting:
            w.look(self.training.backwards)
        if all(w.looks > LOOKS for w in self.waiting):
            self.stepping.leave(self.stepped)

    def find(self):
        held = {id(p) for l in list(self.stepping.ledgers.values()) for p in l.held()}
        reached = {id(p) for p in self.training.leaves or ()}
        found = []
        for optimizer in self.stepping.there():
            own = [p for g in optimizer.param_groups for p in g["params"]]
            if own and not any(id(p) in held for p in own) and any(id(p) in reached for p in own):
                found.append(Waiting(optimizer, [p for p in own if p.requires_grad]))
        return found

    def summary(self):
        steps = max((l.applied for l in self.stepping.ledgers.values()), default=0)
        for w in self.waiting or ():
            if steps >= NEVER and w.cleared >= LOOKS and not self.has_stepped(w) and not w.moved():
                self.live.finding("parameters-stand-still", "degrade",
                                  "%s, whose %d parameters get gradients, has made no step beside %d of another optimizer: they stand still" % (w.name, w.n, steps),
                                  since=1, name=w.name, once=("unstepped", id(w)), place=self.place)

    def has_stepped(self, w):
        optimizer = w.optimizer()
        return optimizer is not None and id(optimizer) in self.stepping.ledgers and self.stepping.ledgers[id(optimizer)].optimizer() is optimizer

    def forked(self):
        self.waiting = self.place = None


class Waiting:
    """An optimizer without a step, and one of its parameters."""

    def __init__(self, optimizer, held):
        self.optimizer, self.name, self.n = weakref.ref(optimizer), type(optimizer).__name__, len(held)
        some = [held[i] for i in sorted({0, len(held) // 2, len(held) - 1})] if held else ()
        self.values = [(weakref.ref(p), moves.sample(p)) for p in some if gate.plain(p) and p.device.type != "meta" and p.numel()]
        self.parameter = weakref.ref(some[-1]) if some else lambda: None
        self.gradient, self.version = None, 0
        self.looks = self.cleared = self.backwards = 0

    def look(self, backwards):
        """Whether its gradient was cleared since the look before: it is another tensor,
        or was written more often than backward adds to it."""
        self.looks += 1
        added, self.backwards = backwards - self.backwards, backwards
        p = self.parameter()
        gradient = p.grad if p is not None else None
        last = self.gradient() if self.gradient is not None else None
        if gradient is None:  # cleared before the step of the other one
            self.cleared += 1
            self.gradient = None
        else:
            if self.gradient is not None and (last is not gradient or gradient._version > self.version + added):
                self.cleared += 1
            self.gradient, self.version = weakref.ref(gradient), gradient._version

    def moved(self):
        return not self.values or any(r() is None or not moves.torch_equal(moves.sample(r()), v) for r, v in self.values)
