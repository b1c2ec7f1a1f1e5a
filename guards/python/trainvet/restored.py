"""What a file holds beside a model and the state of its optimizer, and whether it
came back before the first step behind it: the average of the model, the learning
rate, the place of a sampler; random streams, the loss scale, the epoch that orders
the samples.

The first three make another training of it: they are held against what trains, as
the optimizer's state is (package resume). The others make one that is as good and
draws other numbers: a note."""

import functools
import gc
import os
import sys
import weakref

from trainvet import resume, steps, weights

AVERAGES = ("ema", "average", "averaged", "avg", "shadow", "swa", "polyak")
PLACES = ("sampler", "loader", "dataloader")
OWN_STREAMS = PLACES + ("generator", "data", "dataset")
STATES = ("optimizer.pt", "optimizer.bin")  # beside a model, in a folder of its own
STREAM = 5056  # bytes of the state of torch's stream on the CPU
SCALER = ("scale", "growth_factor", "backoff_factor", "_growth_tracker")
MAX_FILES, MAX_NODES, MAX_STATES, MAX_LOOKS = 16, 4096, 64, 64


class Guard:
    """Resume is the guard that knows which files a training goes on from; scaler
    gives the one that scales losses; loaders knows which loader trains."""

    def __init__(self, live, stepping, resuming, saves, models, loaders, scaler):
        self.live, self.stepping, self.resuming, self.models = live, stepping, resuming, models
        self.loaders, self.scaler = loaders, scaler
        self.held = []  # (weakref of a File or None, Held)
        self.states = set()  # digests of the states that streams were set to, while somebody waits for them
        self.back = {}  # by id: weakrefs of samplers and scalers whose state was loaded
        self.waiting = []  # (file, key, text, step) of averages that are in nothing
        self.written = set()  # keys of the averages in what is being saved
        self.resumed = ""
        resuming.rest = self
        saves.things.append(self.saving)
        saves.listeners.append(self.wrote)
        stepping.beginning.append(self.begins)

    def actions(self):
        return {
            "random": self.python_stream,
            "numpy.random": lambda m: self.stream(m, "set_state"),
            "torch.random": lambda m: self.stream(m, "set_rng_state"),
            "torch.amp.grad_scaler": lambda m: self.loads(m.GradScaler),
            "torch.cuda.amp.grad_scaler": lambda m: self.loads(m.GradScaler),
            "torch.utils.data.sampler": self.samplers,
            "torchdata.stateful_dataloader.stateful_dataloader": lambda m: self.loads(m.StatefulDataLoader),
        }

    # what is set and loaded

    def python_stream(self, module):
        self.stream(module.Random, "setstate")
        module.setstate = module._inst.setstate

    def stream(self, owner, name):
        original, guard = getattr(owner, name, None), self
        if original is None:
            return

        @functools.wraps(original)
        def set_state(*args, **kwargs):
            out = original(*args, **kwargs)
            guard.quietly(lambda: guard.was_set(args[-1] if args else next(iter(kwargs.values()))))
            return out

        setattr(owner, name, set_state)

    def was_set(self, state):
        """Some set one at each step: nobody waits for it then."""
        if len(self.states) < MAX_STATES and any(h.streams for _, h in self.held) and not steps.compiling():
            stream = stream_of(state)
            if stream is not None:
                self.states.add(stream[1])

    def samplers(self, module):
        cls, guard = module.Sampler, self

        def __init_subclass__(cls_, **kwargs):
            super(cls, cls_).__init_subclass__(**kwargs)
            guard.quietly(lambda: guard.loads(cls_))

        cls.__init_subclass__ = classmethod(__init_subclass__)

    def loads(self, cls):
        """Remembers who was given back its state."""
        original, guard = cls.__dict__.get("load_state_dict"), self
        if not callable(original):
            return

        @functools.wraps(original)
        def load_state_dict(self, *args, **kwargs):
            out = original(self, *args, **kwargs)
            guard.back[id(self)] = weakref.ref(self)
            return out

        cls.load_state_dict = load_state_dict

    def came_back(self, thing):
        ref = self.back.get(id(thing))
        return ref is not None and ref() is thing

    def quietly(self, do):
        try:
            return do()
        except Exception as e:
            self.live.report("restored", e)
            return None

    # a file

    def opened(self, file, thing):
        held = Held(thing)
        held.name = os.path.basename(file.path)
        if held.streams or held.more():
            self.held = self.held[1 - MAX_FILES :] + [(weakref.ref(file) if file.places else None, held)]

    def taken(self, state):
        """A module was given tensors of a file."""
        for _, held in self.held:
            for average in held.averages.values():
                average.loaded = average.loaded or average.has(state)

    def of(self, file):
        return next((h for ref, h in self.held if ref is not None and ref() is file), None)

    # the first step behind it

    def left(self, file, optimizer, schedules):
        """What is in the file beside the optimizer's state, and not in the training."""
        held = self.of(file)
        if held is None:
            return []
        out = []
        if optimizer.state and not file.epochs:
            out += held.rate(optimizer, schedules)
        sampler = self.sampler()
        if held.sampler and hasattr(type(sampler), "load_state_dict") and not self.came_back(sampler):
            out.append("the place of a sampler (%s), and %s begins anew" % (held.sampler, type(sampler).__name__))
        for key, average in held.averages.items():
            if average.other and not average.loaded and not average.alive():
                text = "%s holds an average of the model (%s), and nothing holds it" % (held.name or "the state that was loaded", key)
                self.waiting.append((file, key, text, max(self.live.step, 1)))
        if optimizer.state:
            self.note(file, held)
        return out

    def sampler(self):
        loader = self.loader()
        batches = getattr(loader, "batch_sampler", None)
        if hasattr(type(batches), "load_state_dict"):
            return batches
        inner = getattr(batches, "sampler", None)
        return inner if inner is not None else getattr(loader, "sampler", None)

    def loader(self):
        latest = self.loaders.latest
        return latest.loader() if latest is not None else None

    def note(self, file, held):
        other = self.streams(held)
        scaler = self.scaler()
        if held.scale and scaler is not None and not self.came_back(scaler) and getattr(scaler, "_init_scale", held.scale) != held.scale:
            other.append("a loss scale of %g, and it begins at %g" % (held.scale, scaler._init_scale))
        sampler = self.sampler()
        if held.epoch > 0 and hasattr(sampler, "set_epoch") and getattr(sampler, "shuffle", True) and getattr(sampler, "epoch", None) == 0:
            other.append("epoch %d, and %s gives the order of epoch 0" % (held.epoch, type(sampler).__name__))
        self.resumed = self.resumed or ", ".join([held.name or "a state"] + held.lacks())
        self.say(held.name, other)

    def streams(self, held):
        kinds = sorted({kind for digest, kind in held.streams.items() if digest not in self.states})
        held.streams, held.had_streams = {}, True
        return ["the random numbers of %s, and others are drawn" % ", ".join(kinds)] if kinds else []

    def say(self, name, other):
        if other:
            step = max(self.live.step, 1)
            self.live.finding("resume-otherwise", "note", "%s holds %s" % (name or "the state that was loaded", "; ".join(other)), since=step, until=step, once=name)

    def begins(self, optimizer):
        """It makes its first step."""
        self.quietly(lambda: self.beside(optimizer))
        for ref, held in self.held:
            if ref is None and held.streams:  # a file of its own
                self.say(held.name, self.streams(held))

    def beside(self, optimizer):
        """A model from a folder that holds the state of its optimizer."""
        if optimizer.state:
            return
        held = {id(p) for g in optimizer.param_groups for p in g["params"]}
        for root in self.models.roots():
            folder = next((f for f in map(made_from, within(root)) if f), "")
            state = next((s for s in STATES if folder and os.path.isfile(os.path.join(folder, s))), None)
            if state and any(id(p) in held for p in root.parameters()):
                name = self.stepping.ledger(optimizer).name
                path = os.path.join(folder, state)
                self.resuming.left(resume.Beside(path), "%s holds the state of an optimizer, and %s begins without one" % (path, name))

    # what is written next

    def saving(self, thing):
        self.written = set(Held(thing).averages) if self.waiting else set()

    def wrote(self, path):
        for one in list(self.waiting):
            file, key, text, step = one
            if key in self.written and file.path and resume.series(path) == resume.series(file.path):
                self.waiting.remove(one)
                self.resuming.say(file, text, step)

    def facts(self):
        return {"resumed": self.resumed} if self.resumed else {}

    def forked(self):
        self.held, self.waiting = [], []


class Held:
    """What is in a file, by kind. Of its tensors nothing is kept."""

    def __init__(self, thing):
        self.streams = {}  # by digest: whose
        self.scale, self.epoch, self.rates = 0.0, 0, []
        self.sampler, self.name = "", ""
        self.averages, self.had_streams = {}, False
        nodes, work, tables = 0, [(thing, ())], []
        while work and nodes < MAX_NODES:
            node, words = work.pop()
            nodes += 1
            stream = stream_of(node)
            if stream is not None:
                if stream[0] != "torch" or not any(w in OWN_STREAMS for w in words):
                    self.streams[stream[1]] = stream[0]
            elif isinstance(node, dict) and self.part(node, words, tables):
                work += [(v, words + split(k)) for k, v in list(node.items())[:MAX_LOOKS * 8] if not tensors_of(v)]
            elif isinstance(node, (list, tuple)) and len(node) <= MAX_LOOKS and len(words) < 12:
                work += [(v, words) for v in node if not tensors_of(v)]
        for average in self.averages.values():
            average.differs(tables)

    def part(self, node, words, tables):
        """Whether to look into it."""
        if "param_groups" in node and "state" in node:
            self.rates = self.rates or [(g.get("lr"), g.get("initial_lr")) for g in node["param_groups"] if isinstance(g, dict)]
            return False
        if all(k in node for k in SCALER):
            self.scale = float(node["scale"])
            return False
        if node and words and words[-1] in PLACES:
            self.sampler = self.sampler or "_".join(words)
        if not self.epoch and not words and isinstance(node.get("epoch"), int):
            self.epoch = node["epoch"]
        found = {k: v for k, v in node.items() if isinstance(k, str) and tensors_of(v) and not is_stream(v)}
        if found and any(w in AVERAGES for w in words):
            self.averages["_".join(words)] = Average(found)
        elif found:
            tables.append(found)
        return len(words) < 12

    def more(self):
        return self.scale or self.sampler or self.averages or self.rates or self.epoch

    def rate(self, optimizer, schedules):
        """The rate had moved, no schedule was saved, and a new one begins."""
        if not schedules or any(getattr(s, "last_epoch", 1) > 0 for s in schedules):
            return []
        for (rate, first), group in zip(self.rates, optimizer.param_groups):
            now = group.get("lr")
            if isinstance(rate, float) and isinstance(first, float) and isinstance(now, float) and rate != first and now != rate:
                return ["a learning rate of %.4g, and %s begins at %.4g" % (rate, type(schedules[0]).__name__, now)]
        return []

    def lacks(self):
        """What a training draws on and the file does not hold."""
        lacking = [what for what, there in (("random numbers", self.had_streams), ("the place in the samples", self.sampler)) if not there]
        return ["which does not hold " + " and ".join(lacking)] if lacking else []


class Average:
    """The average of a model in a file: weak references to a few of its tensors,
    and a few values of each."""

    def __init__(self, table):
        self.loaded, self.other = False, False
        self.places = {v.data_ptr() for v in table.values() if steps.plain(v) and v.numel()}
        large = sorted((v for v in table.values() if weights.whole(v) and v.is_floating_point()), key=lambda v: -v.numel())[:4]
        self.refs = [weakref.ref(v) for v in large]
        self.shapes = [v.shape for v in large]
        self.values = weights.sample(large)

    def differs(self, tables):
        """An average that has not left the model has nothing to lose."""
        for want, shape in zip(self.values, self.shapes):
            same = [t for table in tables for t in table.values() if t.shape == shape and weights.whole(t)][:MAX_LOOKS]
            if same and want is not None and want not in weights.sample(same):
                self.other = True

    def has(self, state):
        torch = sys.modules["torch"]
        return any(isinstance(v, torch.Tensor) and steps.plain(v) and v.numel() and v.data_ptr() in self.places for v in list(state.values())[:8])

    def alive(self):
        """Whether somebody holds it, as it is or a copy. Looked for once."""
        torch = sys.modules["torch"]
        own = [r() for r in self.refs]
        for t in own:
            if t is not None and sum(isinstance(d, dict) for d in gc.get_referrers(t)) > 1:
                return True
        known = {id(t) for t in own if t is not None}
        shape, want = self.shapes[0], self.values[0]
        like = [t for t in gc.get_objects() if issubclass(type(t), torch.Tensor) and id(t) not in known and steps.plain(t) and t.shape == shape and weights.whole(t)]
        return want is None or want in weights.sample(like[:MAX_LOOKS]) or len(like) > MAX_LOOKS


def stream_of(state):
    """Whose state of a random stream it is, and a digest of it."""
    if isinstance(state, tuple) and len(state) == 3 and isinstance(state[1], tuple) and len(state[1]) == 625:
        return "python", hash(state[1])
    if isinstance(state, tuple) and len(state) == 5 and state[0] == "MT19937":
        return "numpy", hash((bytes(memoryview(state[1])), state[2]))
    if isinstance(state, dict) and state.get("bit_generator") == "MT19937" and isinstance(state.get("state"), dict):
        return "numpy", hash((bytes(memoryview(state["state"]["key"])), state["state"]["pos"]))
    if is_stream(state):
        return "torch", hash(bytes(state.tolist()))
    return None


def is_stream(t):
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(t, torch.Tensor) and steps.plain(t) and t.dtype is torch.uint8 and t.shape == (STREAM,)


def tensors_of(v):
    """A tensor that is no state of a stream: there is nothing in it to look into."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(v, torch.Tensor) and not is_stream(v)


def split(key):
    return tuple(w for w in key.lower().replace("-", "_").replace(".", "_").split("_") if w) if isinstance(key, str) else ()


def within(root):
    """A module and what it wraps."""
    for _ in range(4):
        yield root
        inner = list(root._modules.values())
        if len(inner) != 1 or inner[0] is None:
            return
        root = inner[0]


def made_from(module):
    """The folder that a model of transformers was made from."""
    name = getattr(getattr(module, "config", None), "_name_or_path", "")
    return name if isinstance(name, str) and os.path.isdir(name) else ""
