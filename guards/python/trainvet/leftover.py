"""Gradients that are left over: the model was replaced by another one, which the loss
reaches and the optimizer does not hold, and each step uses once more what the last
backward on the old model left.

What no backward has touched is the same tensor of the same version. It is a note of
nothing yet: whoever copies gradients by their .data leaves both as they are. So some
of the values are compared too, before anything is said."""

import weakref

from trainvet import gate, moves

IN_A_ROW = 3  # looks at which nothing was made anew


class Guard:
    def __init__(self, live, stepping, training):
        self.live, self.training = live, training
        self.watched = {}  # by optimizer id
        stepping.seldom.append(self.stepped)

    def stepped(self, optimizer, ledger, scaled):
        w = self.watched.get(id(optimizer))
        if w is None or w.ledger is not ledger:
            w = self.watched[id(optimizer)] = Watched(ledger)
        if w.backwards == self.training.backwards:
            return  # no backward was made since: several steps by one gradient
        w.backwards = self.training.backwards
        if not w.same() or gate.unreadable():
            w.begin()
        elif w.looks < gate.LOOKED_AT or self.live.budget.allows():
            w.looks += 1
            with self.live.budget:
                w.compare()
            if w.n == IN_A_ROW:
                self.say(w)
        w.last = ledger.attempted

    def say(self, w):
        self.live.finding("optimizer-stale", "degrade",
                          "since step %d the steps of %s use the gradients of the step before it again and again: no backward reaches its parameters any more" % (w.since, w.ledger.name),
                          since=w.since, name=w.ledger.name, once=("left over", id(w)), place=w.place)

    def forked(self):
        self.watched = {}


class Watched:
    """One optimizer, and the gradients of three of its parameters."""

    def __init__(self, ledger):
        self.ledger = ledger
        self.backwards, self.last, self.looks = -1, 0, 0
        self.begin()

    def begin(self):
        """Another stretch, of which nothing is known."""
        held = self.ledger.held()
        some = [held[i] for i in sorted({0, len(held) // 2, len(held) - 1})] if held else ()
        self.seen = [(weakref.ref(p.grad), weakref.ref(p), p.grad._version) for p in some if p.grad is not None and gate.plain(p.grad)]
        self.n, self.since, self.place, self.values = 0, 0, None, None

    def same(self):
        return bool(self.seen) and all(self.untouched(*s) for s in self.seen)

    @staticmethod
    def untouched(gradient, parameter, version):
        g, p = gradient(), parameter()
        return g is not None and p is not None and p.grad is g and g._version == version

    def compare(self):
        """A stretch in which they stand begins behind the look before."""
        values = [moves.sample(g()) for g, _, _ in self.seen]
        if self.values is None:
            self.since, self.place = self.last + 1, self.ledger.live.out.place()
        elif not all(map(moves.torch_equal, values, self.values)):
            self.begin()
            return
        if any(bool(v.any()) for v in values):
            self.values = values
            self.n += 1
            self.ledger.closely(1)
