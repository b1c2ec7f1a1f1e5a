"""Which samples were in the last batch: the indices that a loader asked for, in the
order in which its batches come. Kept are the lists themselves, of the batches that may
still be on their way; nobody reads them until something is told of a batch."""

import collections
import functools
import sys

KEPT = 256  # lists of indices: those of batches that workers made ahead
SHOWN = 16


class Guard:
    def __init__(self, live, loaders):
        self.live, self.loaders = live, loaders

    def actions(self):
        return {"torch.utils.data.dataloader": self.attach}

    def attach(self, module):
        cls = module._BaseDataLoaderIter
        following, begin = getattr(cls, "_next_index", None), getattr(cls, "_reset", None)
        if following is None or begin is None:
            return

        @functools.wraps(following)
        def _next_index(it):
            index = following(it)
            held = it.__dict__
            trail = held.get("trainvet_trail")
            if trail is None:
                trail = held["trainvet_trail"] = Trail()
            trail.n += 1
            trail.lists.append(index)
            drawing = held.get("trainvet_pass")
            if drawing is not None and drawing.trail is not trail:
                drawing.trail = trail
            return index

        @functools.wraps(begin)
        def _reset(it, *args, **kwargs):
            it.__dict__["trainvet_trail"] = Trail()  # workers that stay begin another epoch
            return begin(it, *args, **kwargs)

        cls._next_index, cls._reset = _next_index, _reset

    def last(self):
        """In words, for people; empty: no loader gave a batch."""
        drawing = self.loaders.latest
        if drawing is None or not drawing.batches:
            return []
        n = drawing.batches
        if ahead(drawing) and n > 1 and not drawing.complete:
            n -= 1
        index = drawing.trail.of(n) if drawing.trail is not None else None
        where = "of batch %d of the pass" % n
        if not isinstance(index, (list, tuple)):
            return ["those " + where]
        more = len(index) - SHOWN
        return [" ".join(map(str, index[:SHOWN])) + (" and %d more" % more if more > 0 else "") + " " + where]


def ahead(drawing):
    """Loaders of accelerate draw a batch more than they have given, to know which one
    is the last."""
    loader = drawing.loader()
    return loader is not None and type(loader).__module__.startswith("accelerate") and "accelerate" in sys.modules


class Trail:
    """Lists of indices in the order in which they were drawn."""

    __slots__ = ("n", "lists")

    def __init__(self):
        self.n, self.lists = 0, collections.deque(maxlen=KEPT)

    def of(self, batch):
        """Of a batch, from 1; None: it is too long ago."""
        at = batch - 1 - (self.n - len(self.lists))
        return self.lists[at] if 0 <= at < len(self.lists) else None
