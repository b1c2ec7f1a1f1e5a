"""Whether one input has one label: samples of the fetches that are looked at anyway, by
the digest of the input and a label that is a number.

A label that is another one each time its sample is made was drawn, or belongs to
another sample. Where two samples are alike and their labels are not, people may have
disagreed: that is a note, unless it is so for most of those that are there twice. What
holds few values (a row of a table, a short text) is alike by chance, and counts for
nothing."""

import sys

from trainvet import content, targets

SAMPLES = 64  # of a fetch
RICH, VARIED = 16, 8  # values of an input; how many are different ones
CHANGE = 4  # samples whose label is another one each time
DISAGREE = 8  # inputs with two labels
CODE = "labels-disagree"


def pairs(samples, index):
    """[index, digest of the input, label] of samples that have them."""
    if not isinstance(index, (list, tuple)) or not isinstance(samples, (list, tuple)) or len(index) != len(samples):
        return []
    out = []
    for i, sample in list(zip(index, samples))[:SAMPLES]:
        held, label = parted(sample)
        number = whole(label)
        if not isinstance(i, int) or number is None or not rich(held):
            return []  # samples are of one kind
        digest = content.digest(held)
        if not digest:
            return []
        out.append([i, digest, number])
    return out


def parted(sample):
    if isinstance(sample, dict):
        name = next((n for n in targets.NAMES if n in sample), None)
        if name is not None:
            return {k: v for k, v in sample.items() if k not in targets.NAMES and k not in ("idx", "index", "id")}, sample[name]
    elif isinstance(sample, (list, tuple)) and len(sample) == 2:
        return sample[0], sample[1]
    return None, None


def whole(label):
    """A class, as a number; None: it is something else."""
    if type(label) is int:
        return label
    kind = str(getattr(label, "dtype", ""))
    if getattr(label, "ndim", None) == 0 and ("int" in kind) and (not hasattr(label, "is_cpu") or label.is_cpu):
        return int(label)
    return None


def rich(value):
    """Whether an input holds so much that none is like another one by chance."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else (value,)
    return any(varied(numbers(part)) for part in parts)


def numbers(part):
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    if torch is not None and type(part) is torch.Tensor and part.is_cpu or numpy is not None and isinstance(part, numpy.ndarray):
        flat = part.reshape(-1)
        n = int(flat.shape[0])
        return flat[:: max(1, n // RICH // 4)][: RICH * 8].tolist() if n >= RICH else []
    if isinstance(part, list) and len(part) >= RICH and isinstance(part[0], (int, float)):
        return part[: RICH * 8]
    if hasattr(part, "tobytes") and hasattr(part, "getbands"):  # an image of PIL
        return list(part.tobytes()[:: 97][: RICH * 8])
    return part.split() if isinstance(part, str) else []


def varied(values):
    return len(values) >= RICH and len(set(values)) >= VARIED


class Guard:
    """Data tells of loaders that train, whenever more is known of one."""

    def __init__(self, live, data):
        self.live = live
        data.judged.append(self.judge)

    def judge(self, loader):
        found = disagree(loader.looks)
        if found is not None:
            effect, text = found
            since = loader.began.get(1, {}).get(1, max(self.live.step, 1))
            self.live.finding(CODE, effect, "%s: %s" % (loader.name, text), since=since, name=loader.name, once=(loader.number, effect))


def disagree(looks):
    """(effect, text) of what fetches by epoch hold; None: one input, one label."""
    by_sample, by_input = {}, {}
    for part in looks.values():
        for look in part:
            for i, digest, label in look.get("labels") or ():
                by_sample.setdefault((i, digest), []).append(label)
                by_input.setdefault(digest, {})[i] = label
    again = [labels for labels in by_sample.values() if len(labels) > 1]
    changing = [labels for labels in again if len(set(labels)) > 1]
    if changing:
        text = "%d of %d samples that were made more than once have another label than before" % (len(changing), len(again))
        return "degrade" if len(changing) >= CHANGE and 2 * len(changing) >= len(again) else "note", text
    twice = [labels for labels in by_input.values() if len(labels) > 1]
    apart = [labels for labels in twice if len(set(labels.values())) > 1]
    if apart:
        text = "%d of %d inputs that are there more than once have unlike labels: samples %s" % (len(apart), len(twice), " and ".join(map(str, sorted(apart[0])[:2])))
        return "degrade" if len(apart) >= DISAGREE and 2 * len(apart) >= len(twice) else "note", text
    return None
