"""Passes over loaders: how many batches and samples each drew, and which of them
trained. A pass trains from the first optimizer step that is made while its batch
is the last one that was drawn, so that an evaluation in between is none.

Samples are counted without a look at a batch where the loader says how large its
batches are."""

import functools
import weakref


class Guard:
    """Of the process that trains; workers draw nothing here."""

    def __init__(self, live, stepping):
        self.live, self.stepping = live, stepping
        self.latest = None  # the pass that the last batch came from
        self.trained = weakref.WeakSet()  # the loaders behind whose batches steps came
        self.sums = Sums()  # of the passes that trained
        self.opened = []  # told of a pass that begins: f(pass)
        self.ended = []  # told of a pass that is through: f(pass)

    def actions(self):
        return {"torch.utils.data.dataloader": self.loaders}

    def loaders(self, module):
        cls, base, guard = module.DataLoader, module._BaseDataLoaderIter, self
        iterate, following = cls.__iter__, base.__next__

        @functools.wraps(iterate)
        def __iter__(loader):
            batches = iterate(loader)
            try:
                batches.trainvet_pass = drawing = Pass(loader)
                for told in guard.opened:
                    told(drawing)
            except AttributeError:  # a generator, of what bounds or repeats batches
                pass
            except Exception as e:
                guard.live.report("a pass over a loader", e)
            return batches

        @functools.wraps(following)
        def __next__(batches):
            drawing = batches.__dict__.get("trainvet_pass")
            if drawing is None:
                return following(batches)
            try:
                batch = following(batches)
            except StopIteration:
                drawing.complete = True
                guard.through(drawing)
                raise
            drawing.batches += 1
            if drawing.size is None:
                drawing.count(batch)
            if guard.latest is not drawing:
                guard.drawn(drawing)
            return batch

        cls.__iter__, base.__next__ = __iter__, __next__

    def drawn(self, drawing):
        """Another pass than before: it trains if a step comes next."""
        self.latest = drawing
        if not drawing.trained:
            self.stepping.listeners.append(self.stepped)

    def stepped(self, optimizer, ledger, scaled):
        self.stepping.listeners.leave(self.stepped)
        latest = self.latest
        if latest is not None and not latest.trained:
            latest.trained = True
            loader = latest.loader()
            if loader is not None:
                self.trained.add(loader)
            self.sums.begin(latest)

    def through(self, drawn):
        for listener in self.ended:
            try:
                listener(drawn)
            except Exception as e:
                self.live.report("the end of a pass over a loader", e)

    def forked(self):
        self.latest, self.sums = None, Sums()


class Pass:
    """One pass over a loader."""

    __slots__ = ("loader", "batches", "trained", "size", "known", "whole", "counted", "complete", "trail", "__weakref__")

    def __init__(self, loader):
        self.loader = weakref.ref(loader)
        self.batches = self.counted = 0
        self.complete = self.trained = False
        self.trail = None  # of the samples in its batches: package samples
        self.size = self.whole = self.known = None  # samples of a batch; of the pass; of the dataset
        if getattr(loader, "_dataset_kind", 1) != 0:  # a stream: its length is a promise that nobody keeps
            return
        self.known = length(loader.dataset)
        if isinstance(loader.batch_size, int):  # else the sampler makes the batches, or the dataset does
            self.size, self.whole = loader.batch_size, length(loader.sampler)
            if self.whole is not None and loader.drop_last:
                self.whole -= self.whole % self.size

    def count(self, batch):
        self.counted += samples(batch)

    def samples(self):
        if self.size is None:
            return self.counted
        n = self.batches * self.size
        return n if self.whole is None else min(n, self.whole)

    def through(self):
        """Whether all was drawn: a loop may leave with the last batch."""
        return self.complete or (self.whole is not None and self.samples() >= self.whole)


class Sums:
    """What the passes that trained came to."""

    def __init__(self):
        self.begun = self.complete = self.batches = self.drawn = 0
        self.last = None

    def begin(self, one):
        self.fold()
        self.begun += 1
        self.last = one

    def fold(self):
        """A pass that another one follows is over."""
        if self.last is not None:
            self.complete += self.last.through()
            self.batches += self.last.batches
            self.drawn += self.last.samples()
            self.last = None

    def totals(self):
        """Passes begun, passes that came to their end, batches, samples."""
        last = self.last
        if last is None:
            return self.begun, self.complete, self.batches, self.drawn
        return self.begun, self.complete + last.through(), self.batches + last.batches, self.drawn + last.samples()


def length(of):
    try:
        return len(of)
    except Exception:  # it has none, or asks a server for it
        return None


def samples(batch, depth=3):
    """Of a batch whose loader does not say it: the first dimension of its first
    tensor. 0: there is none."""
    if hasattr(batch, "shape"):
        return int(batch.shape[0]) if len(batch.shape) else 0
    if depth and hasattr(batch, "values") and hasattr(batch, "keys"):
        batch = list(batch.values())
    if depth and isinstance(batch, (list, tuple)):
        for part in batch[:4]:
            n = samples(part, depth - 1)
            if n:
                return n
    return 0
