"""Whether the workers and the epochs of a loader draw random numbers of their own.

Two workers that start from one state of a stream draw the same numbers, each for
other samples: of the noise, the crops, the masks of an epoch only a part is new. An
epoch that starts where the one before it started, with the same samples in the same
order, has nothing new at all. A stream that nobody draws from does not count, nor
one that is seeded by each sample: that makes a sample the same wherever it is made."""

import collections

ENOUGH = 2  # samples that drew alike
SAMPLES = 4  # of a worker, that another one has too
INDICES = 8  # in an order that comes again

Found = collections.namedtuple("Found", "what code effect text epoch batch seed", defaults=("",))


class Drawn:
    """What one fetch drew from one stream."""

    def __init__(self, look, name, kept):
        self.look, self.name = look, name
        self.before, self.after, self.moved, self.trail, self.anew, self.seeds = kept
        self.held = name.endswith(" (held)")

    def own(self):
        """The numbers follow from the state before."""
        return self.moved > 0 and not self.seeds and not self.anew

    def weight(self):
        """The samples that drew. One draw in the first fetch may be an order that
        all workers have to share; where samples are not told apart, the fetches
        behind the first count."""
        if self.trail and self.look["n"] > 1:
            return self.moved if self.moved > 1 else 0
        return ENOUGH if self.look["nth"] > 1 else 0

    def meets(self, other):
        """Whether both ran through the same states: a stream that is seeded anew
        by each sample, behind our back, does not."""
        if not self.held:
            return True
        if self.trail and other.trail:
            return bool(set(self.trail) & set(other.trail))
        return self.after == other.after


def judge(looks, mapped, shuffled):
    """Looks by epoch. What is found, each kind once by its key."""
    epochs = {e: [l for l in part if l["n"] or l["items"]] for e, part in sorted(looks.items())}
    if mapped:
        yield from alike_workers(epochs)
        yield from fixed_seed(epochs)
    else:
        yield from same_samples(epochs)
    yield from alike_epochs(epochs, mapped, shuffled)


def drawn(look):
    return [Drawn(look, name, kept) for name, kept in look["streams"].items()]


def alike_workers(epochs):
    """Two workers at the same fetch, from the same state, for different samples."""
    weight, first, most = collections.Counter(), {}, collections.Counter()
    for epoch, part in epochs.items():
        starts = collections.defaultdict(list)
        for look in part:
            for d in drawn(look):
                if d.own():
                    starts[d.name, look["nth"], d.before].append(d)
        for (name, nth, _), group in starts.items():
            alike = [d for d in group[1:] if d.look["worker"] != group[0].look["worker"] and d.look["of"] != group[0].look["of"] and d.meets(group[0])]
            if alike:
                weight[name] += min(d.weight() for d in alike + group[:1])
                most[name] = max(most[name], len(alike) + 1)
                first.setdefault(name, (epoch, nth))
    for name, n in weight.items():
        if n >= ENOUGH:
            epoch, nth = first[name]
            text = "%d workers of %%(loader)s draw the same numbers from %s, each for other samples: of what is random in an epoch, one part in %d is new" % (most[name], name, most[name])
            yield Found("workers " + name, "workers-draw-alike", "degrade", text, epoch, 2 if nth == 1 else 0)


def same_samples(epochs):
    """Workers without indices that yield one and the same: a dataset that does not
    split itself. A few samples that come again and again are learned by heart."""
    for epoch, part in epochs.items():
        by_worker = collections.defaultdict(list)
        for look in sorted(part, key=lambda l: l["nth"]):
            by_worker[look["worker"]] += look["items"]
        rows = [items for items in by_worker.values() if "" not in items]
        alike = [r for r in rows[1:] if len(r) >= SAMPLES and len(rows[0]) >= SAMPLES and all(a == b for a, b in zip(r, rows[0])) and 4 * len(set(r)) > 3 * len(r)]
        if alike:
            text = "%d workers of %%(loader)s yield the same samples: each comes %d times an epoch" % (len(alike) + 1, len(alike) + 1)
            yield Found("samples", "workers-same-data", "degrade", text, epoch, 2)
            return


def fixed_seed(epochs):
    """Each sample, or each batch, is made after the same seed."""
    for epoch, part in epochs.items():
        seeds = collections.defaultdict(list)
        for look in part:
            for d in drawn(look):
                if d.seeds and (len(d.seeds) > 1 or look["nth"] > 1):
                    seeds[d.name].append(d)
        for name, group in seeds.items():
            values = {v for d in group for v, _ in d.seeds}
            states = {s for d in group for _, s in d.seeds}
            used = any(s not in states for d in group for s in d.trail + [d.after])
            if len(values) == 1 and used and sum(len(d.seeds) for d in group) >= ENOUGH + 1:
                value = values.pop()
                text = "%s is seeded with %s for sample after sample of %%(loader)s: all of them get the same random numbers" % (name, value)
                yield Found("seed " + name, "seed-fixed", "degrade", text, epoch, 1, value)


def alike_epochs(epochs, mapped, shuffled):
    """An epoch that begins where an earlier one began."""
    numbers = list(epochs)
    for later in numbers[1:]:
        for earlier in numbers[: numbers.index(later)]:
            pairs = paired(epochs[earlier], epochs[later])
            if not pairs:
                continue
            same_order = mapped and all(a["of"] == b["of"] and a["of"] for a, b in pairs)
            names = repeated(pairs)
            if names:
                text = "epoch %d of %%(loader)s draws the random numbers of epoch %d again (%s)" % (later, earlier, ", ".join(names))
                if same_order:
                    yield Found("epochs", "epochs-draw-alike", "degrade", text + ", for the same samples: none of them is new", later, 1)
                else:
                    yield Found("epochs note", "epochs-draw-alike", "note", text + ", for samples in another order", later, 1)
            elif same_order and shuffled and sum(a["n"] for a, _ in pairs) >= INDICES and len({a["of"] for a, _ in pairs}) > 1:
                yield Found("order", "order-repeated", "note", "epoch %d of %%(loader)s, which shuffles, has the order of epoch %d" % (later, earlier), later, 1)


def paired(earlier, later):
    """The same fetches of the same workers, in two epochs."""
    of = {(l["worker"], l["nth"]): l for l in earlier}
    return [(of[l["worker"], l["nth"]], l) for l in later if (l["worker"], l["nth"]) in of]


def repeated(pairs):
    """The streams that were drawn from in each first fetch, from the same state."""
    names = None
    weight = collections.Counter()
    for a, b in pairs:
        later = {d.name: d for d in drawn(b) if d.own()}
        now = {d.name: d for d in drawn(a) if d.own() and d.name in later and later[d.name].before == d.before}
        for name, d in now.items():
            weight[name] += min(d.weight(), later[name].weight())
        if a["nth"] == 1:
            names = set(now) if names is None else names & set(now)
    return sorted(n for n in names or () if weight[n] >= ENOUGH)
