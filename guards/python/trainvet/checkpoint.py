"""What is saved as a model, against the model: tensors that the file lacks, and
tensors that are what the model was.

A file may hold a part of a model on purpose, an average of it, or what it was
when it was best. So what is missing is looked for in all files of one moment
before anything is said, and a value is old only if it is known to be: see
package models."""

import functools
import os

from trainvet import imports, steps, weights

MAX_RECORDS = 512  # of files
NAMED = 4
ADAPTERS = ("lora", "adapter", "prompt", "prefix", "ia3")
PIECES, PIECE = 64, 4 << 10  # of a file


class Guard:
    def __init__(self, live, stepping, models):
        self.live, self.stepping, self.models = live, stepping, models
        self.moments = {}  # by id of a model: what was saved of it since its last step
        self.copies = {}  # by id of a model and clock of a copy: clocks at which it was saved
        self.records = 0
        self.drawn = lambda tensor: False  # whether it is as it was drawn at random
        self.listeners = []  # told of each path
        self.things = []  # told of what is saved
        live.after.append(self.settle)

    def actions(self):
        return {
            "torch.serialization": lambda m: self.wrap(m, "save", lambda thing, f=None, *rest, **kwargs: (thing, f)),
            "safetensors.torch": lambda m: self.wrap(m, "save_file", lambda tensors, filename=None, *rest, **kwargs: (tensors, filename)),
            "lightning.fabric.plugins.io.torch_io": self.lightning,
            "pytorch_lightning.plugins.io.torch_plugin": self.lightning,
        }

    def wrap(self, owner, name, arguments):
        original, guard = getattr(owner, name, None), self
        if original is None or getattr(original, "__trainvet__", False):
            return

        @functools.wraps(original)
        def save(*args, **kwargs):
            written = guard.quietly(lambda: guard.begins(*arguments(*args, **kwargs)))
            out = original(*args, **kwargs)
            if written:
                guard.quietly(lambda: guard.record("wrote", *written))
            return out

        save.__trainvet__ = True
        imports.put(owner, name, save)

    def lightning(self, module):
        """It saves into memory first; the name of the file is known outside."""
        cls, local = module.TorchCheckpointIO, self.live.local
        original = cls.save_checkpoint

        @functools.wraps(original)
        def save_checkpoint(io, checkpoint, path, *args, **kwargs):
            local.file = path
            try:
                return original(io, checkpoint, path, *args, **kwargs)
            finally:
                local.file = None

        cls.save_checkpoint = save_checkpoint

    def quietly(self, do):
        try:
            return do()
        except Exception as e:
            self.live.report("checkpoint", e)
            return None

    # a save

    def begins(self, thing, f):
        """The path and kind of what is saved, where it is a model or its state."""
        if steps.unreadable():
            return None
        path = name_of(f) or name_of(getattr(self.live.local, "file", None))
        for listener in self.things:
            listener(thing)
        tables, optimizer = weights.tables(thing)
        kind = "state" if optimizer else ""
        if tables and self.models.clock():
            for now in self.moments.values():
                if now is not None:
                    now.look()
            whole = [self.look(t, path, optimizer) for t in tables]
            kind = "checkpoint" if any(whole) else kind
        if not kind or not path:
            return None
        self.record("writing", path, kind)
        return path, kind

    def record(self, op, path, kind):
        """Two marks a file: one that has no second one was not written to its end."""
        if op == "writing":
            self.records += 1
        if self.records > MAX_RECORDS:
            return
        if op == "wrote":
            self.live.flush()
            for listener in self.listeners:
                listener(path)
        size, sample = (-1, "") if op == "writing" else known_by(path)
        self.live.out.write("artifact", {"op": op, "path": path, "size": size, "sample": sample, "step": self.live.step, "kind": kind, "taint": self.live.taint})

    def look(self, table, path, resumes):
        """Whether it is of a model; what it lacks is said when the model moves on."""
        if table.tensors is None:
            return True  # a shard, a subclass: nothing is known of it
        origin = table.source if weights.is_module(table.source) else self.models.origin(table.source)
        best = None
        for root in self.models.trained():
            now = self.now(root)
            if now is None or not now.could_be(table):
                continue
            m = weights.match(table, now.held)
            if best is None or (m.by_storage, len(m.saved)) > (best[1].by_storage, len(best[1].saved)):
                best = (now, m)
        if best is None or not of_model(table, best[1]):
            best = None
        if origin is not None and (best is None or not any(origin is m for m in best[0].root.modules())):
            return self.look_apart(table, path, resumes, origin, best)
        if best is not None:
            best[0].add(Saved(table, best[1], path, resumes, origin))
        return best is not None

    def look_apart(self, table, path, resumes, origin, best):
        """The state of a module that no optimizer trains: an average, a copy. It
        is whole or not by itself, and may be an old copy of one that is trained."""
        own = self.now(origin)
        if own is not None:
            own.add(Saved(table, weights.match(table, own.held), path, resumes, origin))
        if best is not None:
            best[0].add(Saved(table, best[1], path, resumes, None, apart=True))
        return True

    def now(self, root):
        """What the model is at this step, and what was saved of it since the last."""
        kept = self.moments.get(id(root))
        if kept is None or kept.root is not root:
            held = weights.entries(root)
            kept = self.moments[id(root)] = None if held is None else Now(root, held, self.models.moments(root), self.drawn)
            self.stepping.before.append(self.stepping_now)
        return kept

    # what it says

    def stepping_now(self, optimizer):
        self.stepping.before.leave(self.stepping_now)
        self.settle()

    def settle(self):
        moments, self.moments = self.moments, {}
        for now in moments.values():
            if now is not None and now.saved:
                self.quietly(functools.partial(self.judge, now))

    def judge(self, now):
        step, clock = self.live.step, self.models.clock()
        missing = now.missing()
        if missing:
            parts, saved = missing
            effect = "degrade" if parts.torn or saved.resumes else "note"
            text = "%s, saved at step %d, lacks %s" % (saved.title(), step, listed(parts.names()))
            if effect == "degrade":
                text += ": whoever loads it gets another model than the one that was evaluated"
                self.live.finding("checkpoint-incomplete", effect, text, since=step, name=parts.all[0].name, once=("lacks", tuple(e.name for e in parts.all)))
            else:
                self.live.finding("checkpoint-part", effect, text + ", a whole part of the model", since=step, name=parts.all[0].name, once=("part", parts.all[0].name))
        old = now.old()
        if old is not None:
            self.older(now, old, step, clock)

    def older(self, now, old, step, clock):
        title = "%s, saved at step %d, holds" % (old.saved.title(), step)
        if old.names is not None:
            code = "checkpoint-stale" if old.known else "checkpoint-differs"
            what = "%s of an earlier moment beside the others of now" if old.known else "values of %s that are not the model's, beside others that are"
            self.live.finding(code, "degrade", title + " " + what % listed(old.names), since=step, name=old.names[0].split(" ")[0], once=(code, old.names[0]))
            return
        of = "what the model was before its first step" if old.clock == 0 else "what the model was at step %d" % old.step
        before = self.copies.setdefault((id(now.root), old.clock), set())
        before.add(clock)
        if old.clock == 0 or len(before) > 1:
            self.live.finding("checkpoint-stale", "degrade", "%s %s: none of what was learned since" % (title, of), since=step, once=("stale", id(now.root)))
        else:
            self.live.finding("checkpoint-earlier", "note", "%s %s" % (title, of), since=step, once=("earlier", id(now.root), old.clock))

    def forked(self):
        self.moments, self.copies, self.records = {}, {}, 0


class Saved:
    """One table that is of a model: its names there, with a few values of each.
    The tensors themselves are let go."""

    def __init__(self, table, match, path, resumes, origin, apart=False):
        self.path, self.resumes, self.origin, self.apart = path, resumes, origin, apart
        self.within = common(list(match.saved))
        tensors = list(match.saved.values())
        self.names = {n: (v, t.dtype) for n, t, v in zip(match.saved, tensors, weights.sample(tensors))}
        self.strangers = [table.tensors[n].numel() for n in match.strangers]

    def title(self):
        return os.path.basename(self.path) or "a state"


class Now:
    """A model at one step, and what is saved of it there."""

    def __init__(self, root, held, moments, drawn):
        self.root, self.held, self.drawn = root, held, drawn
        self.look()
        self.moments = moments.at
        self.begin = moments.at[0][1] if 0 in moments.at else None
        self.shapes = {e.tensor.shape for e in held}
        self.saved = []

    def look(self):
        """Statistics move without a step."""
        self.values = dict(zip([e.name for e in self.held], weights.sample([e.tensor for e in self.held])))

    def could_be(self, table):
        fitting = sum(1 for t in table.tensors.values() if t.shape in self.shapes)
        return fitting * 2 >= len(table.tensors)

    def add(self, saved):
        saved.age = self.age(saved)
        self.saved.append(saved)

    def moved(self, e):
        """Whether training changed it, as far as a few values say."""
        if self.begin is None or e.name not in self.begin:
            return e.trainable or e.name.rpartition(".")[2].startswith("running_")
        return self.begin[e.name] != self.values[e.name]

    # what is not there

    def missing(self):
        """What the most complete table lacks that no other one of this moment has."""
        covered = {}
        for s in self.saved:
            covered.update({} if s.apart else s.names)
        for s in sorted((s for s in self.saved if not s.apart), key=lambda s: -len(s.names)):
            inside = [e for e in self.held if within(e.owner, s.within)]
            if not s.origin and 2 * len([e for e in inside if e.name in s.names]) <= len(inside):
                continue  # a few tensors, to look at
            lacking = self.needed(inside, [e for e in inside if e.name not in covered], covered, s)
            if lacking:
                return Parts(lacking, inside, covered, s.within), s
            return None
        return None

    def needed(self, inside, lacking, covered, saved):
        frozen = any(not e.buffer and not e.trainable and e.name in covered for e in inside)
        gone = emptied(inside, covered)
        out = []
        for e in lacking:
            if e.name.endswith(weights.MEANT):
                continue
            if e.trainable or (e.buffer and self.moved(e)) or (frozen and not e.buffer and e.owner not in gone) or self.nowhere(e, saved):
                out.append(e)
        return self.not_renamed(out, saved)

    def nowhere(self, e, saved):
        """What is frozen as it was drawn, in the model that a training is to go on
        from: no file has these numbers. Adapters are saved without the model that they
        are of, which comes from elsewhere."""
        return not e.buffer and not e.trainable and saved.resumes and self.drawn(e.tensor) and not any(w in n.lower() for n in saved.names for w in ADAPTERS)

    def not_renamed(self, lacking, saved):
        """Without what may be there by another name, as another shape."""
        numbers, out = list(saved.strangers), []
        for e in lacking:
            if e.tensor.numel() in numbers:
                numbers.remove(e.tensor.numel())
            else:
                out.append(e)
        return out

    # what is not of now

    def old(self):
        """None: something that was saved is of now, or nobody knows of when."""
        found = None
        for s in self.saved:
            if s.age == "now":
                return None
            found = found or s.age
        return found

    def age(self, saved):
        have = {n: held for n, held in saved.names.items() if held[0] is not None}
        moved = [e for e in self.held if e.name in have and (e.trainable or e.buffer) and self.moved(e) and not e.name.endswith(weights.MEANT)]
        learned = [e for e in moved if e.trainable]
        if not learned:
            return None
        apart = [e for e in moved if not weights.alike(have[e.name][0], self.values[e.name], have[e.name][1])]
        if not apart:
            return "now"
        if not any(e.trainable and e not in apart for e in learned):
            return self.copy_of(saved, moved, have)
        if saved.apart:
            return None  # made from this model, by whatever rule
        apart_learned = [e for e in apart if e.trainable]
        if len(apart_learned) * 2 > len(learned):
            return None
        known = all(any(weights.alike(have[e.name][0], values.get(e.name), have[e.name][1]) for _, values in self.moments.values()) for e in apart)
        return Old(saved, names=[described(e) for e in apart], known=known)

    def copy_of(self, saved, moved, have):
        for clock in sorted(self.moments):
            step, values = self.moments[clock]
            if all(weights.alike(have[e.name][0], values.get(e.name), have[e.name][1]) for e in moved if e.trainable):
                return Old(saved, clock=clock, step=step)
        return None


class Old:
    """Names: the tensors that are old; None: all of them are of one moment."""

    def __init__(self, saved, names=None, known=False, clock=None, step=None):
        self.saved, self.names, self.known, self.clock, self.step = saved, names, known, clock, step


class Parts:
    """What is missing: torn, where a module has a part of its tensors only, or
    where it stands between others that are there."""

    def __init__(self, lacking, inside, covered, common):
        self.all = lacking
        gone = emptied(inside, covered)
        last = top_of([e.owner for e in inside][-1], common)
        self.torn = any(e.owner not in gone or top_of(e.owner, common) != last for e in lacking)

    def names(self):
        return [described(e) for e in self.all]


def emptied(inside, covered):
    """The modules of whose tensors none is there."""
    return {e.owner for e in inside} - {e.owner for e in inside if e.name in covered}


def top_of(owner, common):
    """The part of the saved module that a module lies in."""
    rest = owner[len(common) + 1 :] if common else owner
    return rest.partition(".")[0]


def of_model(table, match):
    n = len(table.tensors)
    found = n - len(match.strangers)
    return found * 2 >= n and (found > 1 or n == 1 or match.by_storage > 1)


def common(names):
    """The deepest module that all of these are in."""
    owners = [n.split(".")[:-1] for n in names]
    if not owners:
        return ""
    low, high = min(owners), max(owners)
    n = 0
    while n < min(len(low), len(high)) and low[n] == high[n]:
        n += 1
    return ".".join(low[:n])


def within(owner, module):
    return not module or owner == module or owner.startswith(module + ".")


def described(e):
    return "%s (%s)" % (e.name, "x".join(map(str, e.tensor.shape)) or "scalar")


def listed(names):
    text = ", ".join(names[:NAMED])
    return text if len(names) <= NAMED else "%s and %d more" % (text, len(names) - NAMED)


def name_of(f):
    if isinstance(f, (str, os.PathLike)):
        return os.fsdecode(os.fspath(f))
    name = getattr(f, "name", None)
    return name if isinstance(name, str) else ""


def known_by(path):
    """Size and digest of pieces of a file, by which it is known again: those of
    the Go guards."""
    if not os.path.isfile(path):
        return -1, ""
    import hashlib

    size = os.stat(path).st_size
    digest = hashlib.sha256(size.to_bytes(8, "little"))
    step = max((size - PIECE) // (PIECES - 1), PIECE)
    with open(path, "rb") as f:
        for place in range(0, min(size, step * PIECES), step):
            f.seek(place)
            digest.update(f.read(PIECE))
    return size, digest.hexdigest()[:32]
