"""What a training that goes on from a file restores: the file holds the state of
an optimizer or a schedule, and none has it when the first step is made; names of
a model that a load which forgives did not find.

The weights of an older training are often all that a new one wants of a file. So
what is left in it is a fault only where the training goes on from its own file:
it writes over it, or the next of its series, or it was asked to resume."""

import functools
import os
import sys
import weakref

from trainvet import checkpoint, imports, steps, weights

MAX_FILES = 64
MAX_PLACES = 20000
ASKED = ("resume", "continue")
TRAININGS = ("stage", "phase", "fold", "part", "task")
DENIED = ("", "0", "false", "no", "none", "off", "never")


class Guard:
    def __init__(self, live, stepping, models, saves):
        self.live, self.stepping, self.models, self.saves = live, stepping, models, saves
        self.files = []  # that were loaded, as long as something of them may be missing
        self.schedules = []  # weakrefs
        self.partly = []  # (file, text, step): gone on with less than the file holds
        self.loads = {}  # by id of a module: its Load
        self.rest = None  # who looks at what else a file holds
        saves.listeners.append(self.wrote)
        live.after.append(self.summary)

    def actions(self):
        return {
            "torch.serialization": self.torch_load,
            "torch.nn.modules.module": self.modules,
            "torch.optim.lr_scheduler": self.schedulers,
        }

    def torch_load(self, module):
        original, guard = module.load, self

        @functools.wraps(original)
        def load(f, *args, **kwargs):
            out = original(f, *args, **kwargs)
            guard.quietly(lambda: guard.loaded(out, f))
            return out

        imports.put(module, "load", load)

    def modules(self, module):
        cls, guard = module.Module, self
        original = cls.load_state_dict

        @functools.wraps(original)
        def load_state_dict(self, state_dict, *args, **kwargs):
            guard.quietly(guard.saves.settle)
            out = original(self, state_dict, *args, **kwargs)
            guard.quietly(lambda: guard.into(self, state_dict, out))
            return out

        cls.load_state_dict = load_state_dict

    def schedulers(self, module):
        cls, guard = getattr(module, "LRScheduler", None) or module._LRScheduler, self
        original = cls.__init__

        @functools.wraps(original)
        def __init__(self, *args, **kwargs):
            original(self, *args, **kwargs)
            guard.schedules = [r for r in guard.schedules if r() is not None] + [weakref.ref(self)]

        cls.__init__ = __init__

    def quietly(self, do):
        try:
            do()
        except Exception as e:
            self.live.report("resume", e)

    # a file, and what is taken of it

    def loaded(self, thing, f):
        if steps.unreadable() or not isinstance(thing, dict):
            return
        file = File(checkpoint.name_of(f), thing)
        if self.rest is not None:
            self.rest.opened(file, thing)
        if file.places:
            self.files = self.files[1 - MAX_FILES :] + [file]
            self.stepping.before.append(self.stepping_now)

    def into(self, module, state, out):
        if steps.unreadable():
            return
        own = {id(p) for p in module.parameters()}
        if self.rest is not None:
            self.rest.taken(state)
        for file in self.files:
            if file.holds(state):
                if not file.params and file.path:
                    size, sample = checkpoint.known_by(file.path)
                    file.known = {"path": file.path, "size": size, "sample": sample}
                    self.live.out.write("artifact", dict(file.known, op="read", step=self.live.step, kind="checkpoint", taint=self.live.taint))
                file.params |= own
        self.found(module, state, getattr(out, "missing_keys", ()))

    # the first step with it

    def stepping_now(self, optimizer):
        if self.files:
            self.first_step(optimizer)
        else:
            self.stepping.before.leave(self.stepping_now)

    def first_step(self, optimizer):
        for file in list(self.files):
            if id(optimizer) in file.seen:
                self.files.remove(file)  # each of its optimizers made a step
                continue
            about = id(optimizer), len(file.params), len(optimizer.param_groups)
            if about in file.looked:
                continue  # a model that something else trains, or nothing
            file.looked.add(about)
            if not any(id(p) in file.params for g in optimizer.param_groups for p in g["params"]):
                continue
            file.seen.add(id(optimizer))
            self.going_on(file, optimizer)

    def going_on(self, file, optimizer):
        left = []
        name = self.stepping.ledger(optimizer).name
        restored = bool(optimizer.state)
        if file.optimizers and not restored:
            left.append("the state of an optimizer, and %s begins without one" % name)
        of_it = [s for s in (r() for r in self.schedules) if s is not None and steps.bare(s.optimizer) is optimizer]
        if file.epochs > 0 and of_it and all(getattr(s, "last_epoch", 1) <= 0 for s in of_it):
            left.append("a schedule at %d, and %s begins at 0" % (file.epochs, type(of_it[0]).__name__))
        if self.rest is not None:
            left += self.rest.left(file, optimizer, of_it)
        if restored and not self.models.clock() and file.known:
            self.live.out.write("resume", dict(file.known, step=-1, carried=[]))
        if left:
            self.left(file, "%s holds %s" % (os.path.basename(file.path) or "the state that was loaded", "; ".join(left)))

    def left(self, file, text):
        step = max(self.live.step, 1)
        if asked(sys.argv[1:]):
            self.say(file, text, step)
            return
        self.partly.append((file, text, step))
        self.live.finding("resume-unused", "note", text + ": right for a new training, wrong for one that goes on", since=step, until=step, once=file.path)

    def say(self, file, text, step):
        self.live.finding("resume-partly", "degrade", text + ": what trains is not the training that was saved", since=step, once=file.path)

    def wrote(self, path):
        """Who writes over a file, or the next of its series, goes on from it."""
        for held in list(self.partly):
            file, text, step = held
            if file.path and series(path) == series(file.path):
                self.partly.remove(held)
                self.say(file, text, step)

    # names that were not found

    def found(self, module, state, missing):
        """Of loads into one module the names that none of them had."""
        held = {n: p for n, p in module.named_parameters()}
        lacking = {n for n in missing if n in held}
        known = self.loads.get(id(module))
        if known is not None and known.ref() is module:
            known.missing &= lacking
        elif lacking and any(isinstance(v, sys.modules["torch"].Tensor) for v in list(state.values())[:4]):
            self.loads[id(module)] = Load(module, lacking, len(held))

    def summary(self):
        """A model that is not trained is what was loaded."""
        for load in self.loads.values():
            module = load.ref()
            if module is None or not load.missing or made_elsewhere(module):
                continue
            names = sorted(n for n in load.missing if load.stands(n))
            if not names:
                continue
            text = "%s was loaded without %s" % (type(module).__name__, checkpoint.listed(names))
            if len(names) == load.parameters:
                text = "nothing was loaded into %s: the file has other names than its %d parameters" % (type(module).__name__, len(names))
            trained = self.models.clock() > 0
            if trained and len(names) < load.parameters:
                self.live.finding("weights-missing", "note", text + ", and they were not trained", name=names[0], once=text)
            elif not trained:
                self.live.finding("weights-missing", "unprove", text + ": they are what they were made as, unless they were filled by other means", name=names[0], once=text)

    def forked(self):
        self.files, self.partly, self.loads = [], [], {}


class File:
    """What a file holds, by its structure: nothing of it is kept."""

    def __init__(self, path, thing):
        self.path = path
        self.known = None
        self.optimizers, self.epochs = 0, 0
        self.places = set()  # of the tensors that may be a model's
        self.params = set()  # ids of parameters that it was loaded into
        self.seen, self.looked = set(), set()  # optimizers that train them; those, by what was known, that were asked
        work = [(thing, 0)]
        while work:
            node, depth = work.pop()
            if isinstance(node, dict):
                self.part(node)
            if depth < weights.MAX_DEPTH and len(node) <= MAX_PLACES and not (isinstance(node, dict) and "param_groups" in node):
                work += [(v, depth + 1) for v in (node.values() if isinstance(node, dict) else node) if isinstance(v, (dict, list, tuple))]

    def part(self, node):
        torch = sys.modules["torch"]
        if "param_groups" in node and "state" in node:
            self.optimizers += bool(node["state"])
            return
        if isinstance(node.get("last_epoch"), int):
            self.epochs = max(self.epochs, node["last_epoch"])
        if len(self.places) < MAX_PLACES:
            self.places |= {v.data_ptr() for k, v in node.items() if isinstance(k, str) and isinstance(v, torch.Tensor) and steps.plain(v) and v.numel()}

    def holds(self, state):
        torch = sys.modules["torch"]
        some = [v for v in list(state.values())[:8] if isinstance(v, torch.Tensor) and steps.plain(v) and v.numel()]
        return any(v.data_ptr() in self.places for v in some)


class Beside:
    """A file that nobody opened, beside one that was."""

    def __init__(self, path):
        self.path = path


class Load:
    """The parameters of a module that a load did not find, with a few values."""

    def __init__(self, module, missing, parameters):
        self.ref, self.missing, self.parameters = weakref.ref(module), missing, parameters
        held = dict(module.named_parameters())
        self.values = dict(zip(missing, weights.sample([held[n] for n in missing])))

    def stands(self, name):
        now = dict(self.ref().named_parameters()).get(name)
        return now is not None and self.values[name] is not None and weights.sample([now])[0] == self.values[name]


def made_elsewhere(module):
    """Models of these are filled past load_state_dict."""
    return any(type(m).__module__.partition(".")[0] in ("transformers", "peft", "diffusers") for m in module.modules())


def asked(argv):
    """Whether the command line asks to go on: --resume, --resume=last.pt,
    continue=true."""
    for i, word in enumerate(argv):
        name, given, value = word.lstrip("-").partition("=")
        name = name.lower().replace("-", "_").rpartition(".")[2]
        if not any(part.startswith(ASKED) for part in name.split("_")) or name.startswith("no_"):
            continue
        follows = argv[i + 1] if not given and word.startswith("-") and i + 1 < len(argv) and not argv[i + 1].startswith("-") else "yes"
        if (value if given else follows).strip("'\"").lower() not in DENIED:
            return True
    return False


def series(path):
    """A path without the numbers that count epochs or steps. The number of a
    stage counts trainings."""
    folder, name = os.path.split(os.path.realpath(path))
    if os.path.basename(folder).startswith("checkpoint"):  # a folder each
        folder, name = os.path.split(folder)[0], os.path.basename(folder) + "/" + name
    if any(word in name.lower() for word in TRAININGS):
        return folder, name
    return folder, "".join(c for c in name if not c.isdigit())
