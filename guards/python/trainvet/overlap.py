"""Whether an evaluation looks at samples that the model is trained on: by the indices
of splits of one dataset, which say so for all samples and before the first of them.

Two objects are one dataset if they hold the same. What counts is a split that was
meant to be one: both parts lie within a whole, and share some of it. An evaluation of
all training samples, or of a part of them, is done on purpose, beside another one; it
is a note. Held against what trains now: each fold of a cross-validation has its own."""

from trainvet import content

MOST = 200000  # indices that are compared
PARTS = 16  # that are known before they are asked for
NAMES = ("val*", "eval*", "test*", "dev*")  # values that claim to be of samples unseen

WHOLE = ("SequentialSampler", "RandomSampler", "DistributedSampler")
OWN = ("transform", "transforms", "target_transform", "train", "split", "root")  # what two views of one dataset may differ in


class Guard:
    def __init__(self, live, data):
        self.live, self.data = live, data
        self.parts = {}  # by loader: Part, None where the samples are not known
        self.compared = set()
        data.evaluations.append(self.evaluates)
        data.trained.append(self.remember)

    def evaluates(self, loader):
        """A loader is evaluated while others train."""
        for trains in self.data.training_now:
            if trains is loader or (trains.number, loader.number) in self.compared:
                continue
            self.compared.add((trains.number, loader.number))
            ours, theirs = self.part(loader), self.part(trains)
            if ours is not None and theirs is not None and ours.whole == theirs.whole:
                self.compare(loader, trains, ours, theirs)

    def remember(self, loader):
        """A loader that is made in the line of its loop is gone when the evaluation
        begins; and each epoch has another one."""
        if len(self.parts) < PARTS:
            self.part(loader)

    def part(self, loader):
        if loader not in self.parts:
            source = loader.source()
            self.parts[loader] = part_of(*source) if source is not None else None
        return self.parts[loader]

    def compare(self, loader, trains, ours, theirs):
        shared = len(ours.indices & theirs.indices)
        if not shared:
            return
        since = max(self.live.step, 0)
        text = "%d of the %d samples of %s, which is evaluated, are in %s, which trains" % (shared, len(ours.indices), loader.name, trains.name)
        inside = shared == len(ours.indices) or shared == len(theirs.indices)
        if inside or not (ours.split() and theirs.split()):
            self.live.finding("evaluation-overlaps", "note", text, since=since, name=loader.name, once=text)
            return
        for name in NAMES:
            self.live.finding("evaluation-overlaps", "degrade", text, since=since, metric=name, name=loader.name, once=(name, text))

    def forked(self):
        self.parts, self.compared = {}, set()


class Part:
    """The samples of one loader, as indices of the whole that they are a part of."""

    def __init__(self, whole, n, indices):
        self.whole, self.n, self.indices = whole, n, indices

    def split(self):
        return len(self.indices) < self.n


def part_of(dataset, sampler):
    indices = sampled(dataset, sampler)
    if indices is None:
        return None
    while type(dataset).__name__ == "Subset" and hasattr(dataset, "indices"):
        held = dataset.indices
        indices = {int(held[i]) for i in indices}
        dataset = dataset.dataset
    n = len(dataset)
    return Part(identity(dataset, n), n, set(indices)) if n <= MOST else None


def sampled(dataset, sampler):
    """The indices that a sampler can give, None where it does not say."""
    n = len(dataset) if hasattr(dataset, "__len__") else MOST + 1
    if n > MOST:
        return None
    name = type(sampler).__name__
    if name in WHOLE:
        return range(n)
    if name == "SubsetRandomSampler":
        return [int(i) for i in sampler.indices]
    if name == "WeightedRandomSampler":
        return [i for i, w in enumerate(sampler.weights.tolist()) if w > 0]
    return None


def identity(dataset, n):
    """The same for two objects that hold the same samples."""
    held = getattr(dataset, "__dict__", None)
    of = content.digest({k: v for k, v in held.items() if k not in OWN}) if isinstance(held, dict) and held else content.digest(dataset) if isinstance(dataset, (list, tuple)) else ""
    return (type(dataset).__name__, n, of) if of else id(dataset)
