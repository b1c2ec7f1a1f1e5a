"""Who is told of what. An event is a short row of functions that grows and shrinks
while it is told of: whoever has nothing to look for any more leaves it, and costs
nothing from then on."""


class Event:
    __slots__ = ("told", "grows")

    def __init__(self, grows=None):
        self.grows = grows  # called where somebody wants to be told from now on
        self.told = ()  # never changed in place: who goes through it goes through what it was

    def append(self, f):
        """Once, however often it is asked for."""
        if f not in self.told:
            self.told += (f,)
            if self.grows is not None:
                self.grows()

    def leave(self, f):
        if f in self.told:
            self.told = tuple(g for g in self.told if g != f)

    def __iadd__(self, more):
        for f in more:
            self.append(f)
        return self

    def __contains__(self, f):
        return f in self.told

    def __iter__(self):
        return iter(self.told)

    def __len__(self):
        return len(self.told)


class Replaced:
    """Functions that stand in the place of a library's own, which come back when
    nobody needs them any more: not where somebody has put his own over them, nor
    once a compiler may have looked at them."""

    def __init__(self):
        self.compiled = False
        self.put = []  # (owner, name, the library's, ours)

    def set(self, owner, name, original, ours):
        setattr(owner, name, ours)
        self.put.append((owner, name, original, ours))

    def back(self, *names):
        """Those of these names; of all where none is given."""
        if self.compiled:
            return
        kept = []
        for owner, name, original, ours in self.put:
            if names and name not in names:
                kept.append((owner, name, original, ours))
            elif vars(owner).get(name) is ours:
                setattr(owner, name, original)
        self.put = kept
