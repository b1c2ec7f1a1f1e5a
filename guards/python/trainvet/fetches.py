"""The first fetches of a loader, in the worker or the process that makes them: which
samples were asked for, which streams of random numbers they drew from, and for data
without indices what the samples were.

A fetcher is watched for its first fetches, and then it is as it was. What was seen
is handed on as a Look; nothing is judged here."""

import json
import sys
import zlib

from trainvet import chance, content, labels

WATCHED = 3  # fetches of a fetcher
TRAIL = 16  # samples of a fetch after which the streams are read
SAMPLES = 64  # digests of samples without indices, in one look

# A look, as it is written for the process that has the loader: short keys, one line.
#   nth     the fetch of this fetcher, from 1
#   n       samples asked for; where unknown 0
#   of      digest of the indices, 0 where there are none
#   streams by name: [state before, state after, samples that moved it, states after
#           single samples, samples that seeded it, (seed, state after) that it was given]
#   items   digests of the samples, where they have no index
#   given   what the collator got and gave: see content.kept
#   labels  index, digest of the input and label of samples that have them


class Fetches:
    """Puts a watch on each fetcher that is made in this process. Hand takes the
    finished looks: hand(look)."""

    def __init__(self, live):
        self.live = live
        self.seeded = None  # while a fetch is watched: (stream, seed, state) in order

    def watch(self, fetcher, mapped, hand):
        roots = [("dataset", fetcher.dataset), ("collate_fn", fetcher.collate_fn)]
        Watch(self, fetcher, mapped, chance.shared() + chance.held(roots), hand)

    # seeds that are set meanwhile

    def actions(self):
        return {
            "random": lambda m: self.seeds(m, "seed", "random"),
            "numpy.random": lambda m: self.seeds(m, "seed", "numpy.random"),
            "torch.random": lambda m: self.seeds(m, "manual_seed", "torch"),
        }

    def seeds(self, module, name, stream):
        original, fetches = getattr(module, name), self

        def seed(*args, **kwargs):
            out = original(*args, **kwargs)
            if fetches.seeded is not None:
                fetches.note(stream, args[:1] or tuple(kwargs.values())[:1])
            return out

        # Found again by its name where it is pickled: workers are started with it.
        seed.__name__ = seed.__qualname__ = name
        seed.__doc__, seed.__wrapped__, seed.__module__ = original.__doc__, original, module.__name__
        setattr(module, name, seed)

    def note(self, stream, value):
        try:
            state = next((s.read()[0] for s in chance.shared() if s.name == stream), 0)
            self.seeded.append((stream, repr(value[0] if value else None)[:32], "%x" % state))
        except Exception as e:
            self.live.report("seed", e)


class Watch:
    """Stands in the fetcher as its fetch, for some fetches."""

    def __init__(self, fetches, fetcher, mapped, streams, hand):
        self.fetches, self.fetcher, self.mapped, self.streams, self.hand = fetches, fetcher, mapped, streams, hand
        self.nth = 0
        self.fetch = fetcher.fetch  # bound, of the class
        fetcher.fetch = self

    def __call__(self, index):
        self.nth += 1
        noted = self.quietly(self.begin, index)
        try:
            out = self.fetch(index)
        finally:
            self.quietly(self.end, noted)
            if self.nth >= WATCHED:
                self.fetcher.__dict__.pop("fetch", None)
        if noted is not None:
            self.quietly(self.tell, noted, index, out)
        return out

    def quietly(self, do, *args):
        try:
            return do(*args)
        except Exception as e:
            self.fetches.live.report("data fetch", e)
            return None

    def begin(self, index):
        noted = Noted(self.fetches, self.streams, self.nth == 1)
        f = self.fetcher
        if hasattr(f, "dataset_iter"):
            noted.inner = f.dataset_iter
            f.dataset_iter = Iterated(noted, f.dataset_iter)
        elif self.nth == 1 and self.mapped and f.auto_collation and one_by_one(f.dataset):
            noted.dataset = f.dataset
            f.dataset = Mapped(noted, f.dataset)
        noted.collate = f.collate_fn
        f.collate_fn = noted.collating
        noted.seeded = self.fetches.seeded = []
        return noted

    def end(self, noted):
        """Everything is put back where it was, whatever happened."""
        self.fetches.seeded = None
        if noted is None:
            return
        f = self.fetcher
        if noted.inner is not None:
            f.dataset_iter = noted.inner
        if noted.dataset is not None:
            f.dataset = noted.dataset
        f.collate_fn = noted.collate

    def tell(self, noted, index, out):
        look = {"nth": self.nth, "n": len(index) if isinstance(index, (list, tuple)) else 0, "of": digest_of(index) if self.mapped else 0}
        look["streams"] = noted.drawn()
        look["items"] = noted.items
        look["given"] = content.kept(noted.samples, out) if noted.samples is not None else None
        look["labels"] = labels.pairs(noted.samples, index) if self.mapped else []
        self.hand(look)


class Noted:
    """What is seen while one fetch is made."""

    def __init__(self, fetches, streams, apart):
        self.fetches, self.streams = fetches, streams
        self.apart = apart  # streams are read after each sample: in the first fetch
        self.inner = self.dataset = self.samples = None
        self.items, self.seeded = [], []
        self.before = [s.read() for s in streams]
        self.last = list(self.before)
        self.moved = [0] * len(streams)
        self.anew = [0] * len(streams)  # seeded anew while a sample was made
        self.trail = [[] for _ in streams]
        self.n = 0

    def sample(self):
        """One sample was made."""
        self.n += 1
        if self.n > TRAIL or not self.apart:
            return
        for i, s in enumerate(self.streams):
            now = s.read()
            if now[0] != self.last[i][0]:
                self.moved[i] += 1
            if now[1] is not None and s.held is not None and reseeded(s, self.last[i], now):
                self.anew[i] += 1
            self.last[i] = now
            self.trail[i].append("%x" % now[0])

    def collating(self, samples):
        self.samples = samples if isinstance(samples, (list, tuple)) else None
        return self.collate(samples)

    def drawn(self):
        """The streams that were drawn from or seeded."""
        out = {}
        seeds = {}
        for stream, value, state in self.seeded:
            seeds.setdefault(stream, []).append((value, state))
        for i, s in enumerate(self.streams):
            now = s.read()
            moved = self.moved[i] or int(now[0] != self.before[i][0])
            if moved or s.name in seeds:
                name = s.name if s.held is None else s.name + " (held)"
                out[name] = ["%x" % self.before[i][0], "%x" % now[0], moved, self.trail[i] if self.moved[i] or seeds else [], self.anew[i], seeds.get(s.name, [])[:TRAIL] if s.held is None else []]
        return out


def reseeded(stream, before, now):
    """torch's generators say their seed. A Mersenne twister stands where it stood
    after the sample before, though its numbers are others."""
    if isinstance(stream.held, getattr(sys.modules.get("torch"), "Generator", ())):
        return before[1] != now[1]
    return before[1] == now[1] and before[0] != now[0]


class Mapped:
    """The dataset, for one fetch."""

    def __init__(self, noted, dataset):
        self.noted, self.inner = noted, dataset

    def __getitem__(self, i):
        out = self.inner[i]
        try:
            self.noted.sample()
        except Exception as e:
            self.noted.fetches.live.report("data sample", e)
        return out


class Iterated:
    """The iterator of a dataset, for one fetch."""

    def __init__(self, noted, inner):
        self.noted, self.inner = noted, inner

    def __iter__(self):
        return self

    def __next__(self):
        out = next(self.inner)
        try:
            self.noted.sample()
            if len(self.noted.items) < SAMPLES:
                self.noted.items.append(content.digest(out))
        except Exception as e:
            self.noted.fetches.live.report("data sample", e)
        return out


def one_by_one(dataset):
    """Whether the samples of a fetch are asked for one after another."""
    while type(dataset).__module__ == "torch.utils.data.dataset" and type(dataset).__name__ == "Subset":
        dataset = dataset.dataset  # it hands on what it is asked for
    return not callable(getattr(dataset, "__getitems__", None))


def digest_of(index):
    return zlib.crc32(repr(index).encode()) if isinstance(index, (int, list, tuple)) else 0


def line(look):
    return json.dumps(look, separators=(",", ":")).encode("ascii") + b"\n"
