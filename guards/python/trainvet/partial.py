"""Evaluations of a part of a set: batches that a loader drops, loops that leave it,
samples that a DistributedSampler counts twice so that all ranks have as many. And how
large the sets are that are evaluated, for the line of the first step.

A value of nine tenths of a set is a true value of those: a note. Where a tenth or more
is missing, and nobody chose which, it is another set than the one that it is named
after. A loop that is left early is written so in the source: a note."""

import functools
import sys
import weakref

from trainvet import live

SHARE = 0.1  # of the set, from which on it is another one
MAX_SAID = 64
MAX_LOADERS = 64
MAX_OPEN = 8


class Guard:
    """Evaluates says whether what runs now is an evaluation."""

    def __init__(self, live_, loaders, evaluates):
        self.live, self.loaders, self.evaluates = live_, loaders, evaluates
        self.open = []  # passes of evaluations that are not through
        self.made = []  # weakrefs of loaders
        self.said = 0
        loaders.opened.append(self.opened)
        loaders.ended.append(self.ended)
        live_.after.append(self.left)

    def actions(self):
        return {"torch.utils.data.dataloader": self.attach}

    def attach(self, module):
        cls, guard = module.DataLoader, self
        original = cls.__init__

        @functools.wraps(original)
        def __init__(loader, *args, **kwargs):
            original(loader, *args, **kwargs)
            guard.made = guard.made[1 - MAX_LOADERS :] + [weakref.ref(loader)]

        cls.__init__ = __init__

    # passes

    def opened(self, drawing):
        """What was left before this one began will not go on."""
        self.left(drawing.loader())
        if max(self.live.step, 0) > 0 and drawing.known and self.evaluates():
            self.open = self.open[1 - MAX_OPEN :] + [drawing]

    def ended(self, drawing):
        if drawing not in self.open:
            return
        self.open.remove(drawing)
        loader, known, whole = drawing.loader(), drawing.known, drawing.whole
        if loader is None or not drawing.batches or not known:
            return
        twice = padding(loader.sampler)
        if twice:
            self.say("note", "%d of the %d samples of %s are evaluated twice, so that each rank has as many (DistributedSampler)" % (twice, known, title(loader)), loader)
        of = length(loader.sampler)
        if whole is not None and of and whole < of and loader.drop_last:
            text = "an evaluation of %s looked at %d of %d samples: its batches are of %d and the last one is dropped" % (title(loader), whole, of, loader.batch_size)
            self.say("degrade" if of - whole >= SHARE * of else "note", text, loader)

    def left(self, loader=None):
        """Passes that were left before they were through; of one loader, or all."""
        for drawing in [d for d in self.open if loader is None or d.loader() in (None, loader)]:
            self.open.remove(drawing)
            n = drawing.samples()
            if drawing.batches and not drawing.through() and n < drawing.known and drawing.loader() is not None:
                self.say("note", "an evaluation of %s looked at %d of %d samples: the loop left it" % (title(drawing.loader()), n, drawing.known), drawing.loader())

    def say(self, effect, text, loader):
        """Of what is evaluated now; a note once a loader. The last one that is told
        stands for all behind it."""
        at = max(self.live.step, 0)
        if effect == "note":
            self.live.finding("incomplete-evaluation", "note", text, since=at, once=(id(loader.dataset), text.rpartition(": ")[2]))
        elif self.said < MAX_SAID:
            self.said += 1
            self.live.finding("incomplete-evaluation", effect, text, since=at, until=at if self.said < MAX_SAID else live.NONE)

    # the first step

    def facts(self):
        """Of loaders that are there and that nothing trained from: how many samples."""
        trains = self.loaders.latest.loader() if self.loaders.latest is not None else None
        sets = {}
        for loader in [ref() for ref in self.made]:
            if loader is None or loader is trains or trains is None or getattr(loader, "_dataset_kind", 1) != 0 or shuffled(loader):
                continue
            n, of = length(loader.sampler), length(loader.dataset)
            if n and of and loader.dataset is not trains.dataset:
                sets.setdefault((id(loader.dataset), n), "%d" % n if n >= of else "%d of %d" % (n, of))
        return {"evaluation set": " and ".join(list(sets.values())[:4])} if sets else {}

    def forked(self):
        self.open, self.made = [], []


def title(loader):
    return "the loader of %s" % type(loader.dataset).__name__


def shuffled(loader):
    return type(loader.sampler).__name__ == "RandomSampler"


def padding(sampler):
    """Samples that a DistributedSampler gives to a second rank."""
    data = sys.modules.get("torch.utils.data.distributed")
    kind = getattr(data, "DistributedSampler", None)
    if kind is None or type(sampler) is not kind or getattr(sampler, "drop_last", True):
        return 0
    return max(sampler.total_size - (length(sampler.dataset) or sampler.total_size), 0)


def length(of):
    try:
        return len(of)
    except Exception:  # it has none
        return None
