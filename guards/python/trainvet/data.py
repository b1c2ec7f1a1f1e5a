"""What the loaders of this process give: which of them trains, how often it was run
through, and whether its workers and its epochs draw numbers of their own.

A loader trains if backward is called on what it gives. What is looked at in a worker
comes back through a file of the run directory, since a worker has no other way that
a trainer does not use. Judged is here, in the process that has the loader; what is
said concerns loaders that train alone: an evaluation repeats itself by design.

Guard.facts() gives words for the line of the first step: what the workers of the
loader that trains draw and yield."""

import functools
import json
import os
import sys
import weakref

from trainvet import content, draws, fetches, meant

SHARE = 8  # batches for one backward, of a loader that trains
EPOCHS = 4  # looked at, and later each whose number is a power of two
FIRST = 4  # batches that are looked at, and later each whose number is a power of two
MAX_LOADERS = 64


class Guard:
    def __init__(self, live, training, directory):
        self.live, self.training, self.directory = live, training, directory
        self.fetches = fetches.Fetches(live)
        self.loaders = []  # Loader
        self.opening = None  # the loader whose iterator is being made
        self.waiting = {}  # loaders that gave a batch since the last backward
        self.backwards = self.fetchers_made = 0
        self.workers = {}  # by pid: (loader, epoch of its first fetcher)
        self.spool = Spool(directory, os.getpid())
        self.training_now = {}  # loaders whose batches led to the last backward
        self.evaluations = []  # told of a loader that is evaluated: seen(loader)
        self.trained = []  # told of a loader that trains and is through, while it is there: told(loader)
        self.batches_seen = []  # told of batches that train, ever more seldom: seen(loader, batch)
        self.judged = []  # told of a loader that trains, when more is known of it
        live.after.append(self.judge)

    def actions(self):
        out = {name: action for name, action in self.fetches.actions().items()}
        out["torch.utils.data.dataloader"] = self.attach
        return out

    def attach(self, module):
        self.iterators(module.DataLoader)
        self.batches(module._BaseDataLoaderIter)
        self.fetchers(module._DatasetKind)

    def iterators(self, cls):
        original, guard = cls.__iter__, self

        @functools.wraps(original)
        def __iter__(loader):
            outer, guard.opening = guard.opening, guard.quietly(guard.opens, loader)
            try:
                out = original(loader)
            finally:
                opened, guard.opening = guard.opening, outer
            if opened is not None:
                guard.quietly(guard.opened, opened, out)
            return out

        cls.__iter__ = __iter__

    def batches(self, cls):
        original, guard = cls.__next__, self

        @functools.wraps(original)
        def __next__(it):
            loader = it.__dict__.get("_trainvet")
            if loader is None:
                return original(it)
            try:
                batch = original(it)
            except StopIteration:
                guard.quietly(guard.exhausted, loader)
                raise
            guard.quietly(guard.gave, loader, batch)
            return batch

        cls.__next__ = __next__

    def fetchers(self, cls):
        original, guard = cls.create_fetcher, self

        @functools.wraps(original)
        def create_fetcher(kind, *args, **kwargs):
            fetcher = original(kind, *args, **kwargs)
            guard.quietly(guard.made, fetcher, kind == cls.Map)
            return fetcher

        cls.create_fetcher = staticmethod(create_fetcher)

    # in the process that has the loader

    def opens(self, loader):
        self.judge()
        found = self.loader(loader)
        found.epoch += 1
        found.yields = 0
        if watched(found.epoch):
            found.began[found.epoch] = {}
        return found

    def loader(self, loader):
        """A loader that is made anew for each epoch is the same one."""
        for known in self.loaders:
            if known.same(loader):
                known.use(loader)
                return known
        if len(self.loaders) == MAX_LOADERS:
            del self.loaders[0]
        self.loaders.append(Loader(loader, len(self.loaders)))
        return self.loaders[-1]

    def opened(self, loader, it):
        if not hasattr(type(it), "_next_index"):
            return  # another one than torch's own
        if it.__dict__.get("_trainvet") is not None:
            return  # its workers stay
        it.__dict__["_trainvet"] = loader
        loader.it = weakref.ref(it)
        for place, worker in enumerate(getattr(it, "_workers", ()) if watched(loader.epoch) else ()):
            self.workers[worker.pid] = (loader, loader.epoch, place)

    def gave(self, loader, batch):
        """A batch leaves the loader."""
        self.credit()
        loader.yields += 1
        if not sys.modules["torch"].is_grad_enabled():
            if loader.yields == 1:
                loader.skip()
                self.evaluated(loader)
            return
        loader.given += 1
        self.waiting[loader] = None
        if loader.yields < 3 and loader.epoch in loader.began:
            loader.began[loader.epoch][loader.yields] = max(self.live.step, 0) + 1
        if loader.yields & (loader.yields - 1) == 0 or loader.yields == 2 * loader.workers + 1:
            self.judge()
        if loader.given <= FIRST or loader.given & (loader.given - 1) == 0:
            for seen in self.batches_seen:
                seen(loader, batch)

    def credit(self):
        if self.training.backwards != self.backwards:
            self.backwards = self.training.backwards
            for loader in self.waiting:
                loader.used += 1
            self.waiting, self.training_now = {}, self.waiting or self.training_now

    def exhausted(self, loader):
        self.credit()
        self.waiting.pop(loader, None)
        if not loader.used:
            self.evaluated(loader)
        else:
            for told in self.trained:
                told(loader)
        loader.settled = max(loader.settled, loader.epoch)
        self.judge()

    def evaluated(self, loader):
        for seen in self.evaluations:
            seen(loader)

    def judge(self):
        """Once something new is known of a loader that trains."""
        if self.workers:
            self.collect()
        for loader in self.loaders:
            if loader.fresh and loader.trains():
                loader.fresh = False
                for found in draws.judge(loader.looks, loader.mapped, loader.shuffles):
                    self.say(loader, found)
                self.conserved(loader)
                for told in self.judged:
                    told(loader)

    def say(self, loader, found):
        since = loader.began.get(found.epoch, {}).get(found.batch) or max(self.live.step, 1)
        text, effect = found.text % {"loader": loader.name}, found.effect
        held = loader.ref()
        if found.code == "seed-fixed" and held is not None:
            name = meant.repeated(held.dataset, found.seed)
            if name:
                text, effect = "%s; its %s may ask for that" % (text, name), "note"
        self.live.finding(found.code, effect, text, since=since, name=loader.name, once=(found.what, loader.number))

    def conserved(self, loader):
        """A collator, or a processor in it, gives as many rows as it got samples,
        or what they held in fewer."""
        for epoch, looks in loader.looks.items():
            look = content.lost(looks)
            if look is not None:
                n, rows = look["given"][:2]
                text = "batch after batch of %s has %d rows made of %d samples: the others are lost" % (loader.name, rows, n)
                self.live.finding("batch-not-conserved", "degrade", text, since=loader.began.get(epoch, {}).get(1, max(self.live.step, 1)), name=loader.name, once=loader.number)
                return

    def facts(self):
        """What is known of the loader that trains."""
        self.judge()
        for loader in self.training_now or [l for l in self.loaders if l.trains()]:
            return {"workers": loader.words({code for code, once in self.live.said if isinstance(once, tuple) and once[-1:] == (loader.number,)})}
        return {}

    # looks

    def made(self, fetcher, mapped):
        """A fetcher was made: in this process for a loader that is opened now, or
        in a worker."""
        loader = self.opening
        if is_worker():
            self.made_in_worker(fetcher, mapped, 1 if loader is None else loader.epoch)
        elif loader is not None and watched(loader.epoch):
            loader.mapped, epoch = mapped, loader.epoch
            self.fetches.watch(fetcher, mapped, lambda look: self.look(loader, dict(look, worker=0, epoch=epoch)))

    def made_in_worker(self, fetcher, mapped, epoch):
        """A worker that stays gets a fetcher for each epoch."""
        if not self.fetchers_made:
            self.spool = Spool(self.directory, sys.modules["multiprocessing.process"].parent_process().pid)
        self.fetchers_made += 1
        if watched(epoch + self.fetchers_made - 1):
            about = {"pid": os.getpid(), "gen": self.fetchers_made, "mapped": mapped}
            self.fetches.watch(fetcher, mapped, lambda look: self.spool.write(dict(look, **about)))

    def look(self, loader, look):
        if look["epoch"] in loader.evaluated or (look["epoch"] not in loader.looks and len(loader.looks) >= 2 * EPOCHS):
            return
        loader.looks.setdefault(look["epoch"], []).append(look)
        loader.fresh = True

    def collect(self):
        """What the workers have written since."""
        for look in self.spool.read():
            known = self.workers.get(look["pid"])
            if known is not None:
                loader, epoch, place = known
                loader.mapped = look["mapped"]
                self.look(loader, dict(look, worker=place, epoch=epoch + look["gen"] - 1))

    def quietly(self, do, *args):
        try:
            return do(*args)
        except Exception as e:
            self.live.report("data", e)
            return None

    def forked(self):
        """In a worker, or another child: what the parent knew is the parent's, but
        for the loader that is being opened."""
        self.spool.forget()
        self.spool = Spool(self.directory, os.getpid())
        self.loaders, self.waiting, self.training_now, self.workers, self.fetchers_made = [], {}, {}, {}, 0


class Loader:
    """A loader of this process."""

    def __init__(self, loader, number):
        self.number = number
        self.epoch = self.yields = self.settled = 0
        self.given = self.used = 0  # batches that were given, and backwards on them
        self.workers = 0
        self.mapped, self.shuffles = True, False
        self.looks = {}  # by epoch
        self.began = {}  # by epoch: the step in which its first batches are used
        self.evaluated = set()  # epochs without gradients, which may repeat whatever they like
        self.fresh = False
        self.ref = self.data = self.it = None
        self.kind = kind(loader)
        self.use(loader)
        self.name = "the loader of %s" % type(loader.dataset).__name__

    def use(self, loader):
        self.workers, self.shuffles = loader.num_workers, shuffles(loader)
        self.ref = weakref.ref(loader)
        try:
            self.data = weakref.ref(loader.dataset)
        except TypeError:  # a list, a tuple
            self.data = None
        self.place = place(loader.dataset)

    def same(self, loader):
        if self.ref() is not None:
            return self.ref() is loader
        held = self.data() is loader.dataset if self.data is not None else self.place == place(loader.dataset)
        return held and self.kind == kind(loader)

    def source(self):
        """(dataset, sampler), as long as one of those that hold them is there: of a
        loader that is made in the line of its loop that is its iterator alone."""
        loader, it = self.ref(), self.it() if self.it is not None else None
        if loader is not None:
            return loader.dataset, loader.sampler
        batches = getattr(it, "_index_sampler", None)
        return (it._dataset, getattr(batches, "sampler", batches)) if it is not None else None

    def skip(self):
        """Its epoch trains nothing."""
        if watched(self.epoch):
            self.evaluated.add(self.epoch)
            self.looks.pop(self.epoch, None)

    def words(self, said):
        if not self.workers:
            return "none"
        if "workers-same-data" in said:
            return "%d, of one and the same data" % self.workers
        if "workers-draw-alike" in said:
            return "%d, with the same random numbers" % self.workers
        drawn = any(look["streams"] for part in self.looks.values() for look in part)
        return "%d, %s" % (self.workers, "with random numbers of their own" if drawn else "without random numbers")

    def trains(self):
        return self.used > 0 and self.used * SHARE >= self.given


def kind(loader):
    return type(loader.sampler).__name__, type(loader.batch_sampler).__name__, loader.batch_size, loader.num_workers


def place(dataset):
    """Where a list lies, which takes no weak reference."""
    return id(dataset), len(dataset) if isinstance(dataset, (list, tuple)) else 0


def shuffles(loader):
    sampler = loader.sampler
    name = type(sampler).__name__
    return name in ("RandomSampler", "SubsetRandomSampler") or name == "DistributedSampler" and bool(getattr(sampler, "shuffle", False))


def watched(epoch):
    return epoch <= EPOCHS or epoch & (epoch - 1) == 0


def is_worker():
    """Whether this is a worker of a loader: torch says so once it runs."""
    worker = sys.modules.get("torch.utils.data._utils.worker")
    return worker is not None and worker.get_worker_info() is not None


class Spool:
    """The file through which workers hand on what they saw. Lines are short, each
    is appended by one write."""

    def __init__(self, directory, pid):
        self.pid = pid
        self.path = os.path.join(directory, "data-%d.tvr" % pid)
        self.fd = None
        self.rest = b""

    def write(self, look):
        if self.fd is None:
            self.fd = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(self.fd, fetches.line(look))

    def read(self):
        if self.fd is None:
            try:
                self.fd = os.open(self.path, os.O_RDONLY)
            except OSError:
                return  # no worker wrote anything
        while True:
            part = os.read(self.fd, 1 << 16)
            if not part:
                return
            lines = (self.rest + part).split(b"\n")
            self.rest = lines.pop()
            for text in lines:
                yield json.loads(text)

    def forget(self):
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None
