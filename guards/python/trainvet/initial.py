"""What a training begins with: parameters that nobody initialised, parameters that
were initialised again and again, a model that was evaluated before its first batch
in training mode had set what it is made of.

Zeros are meant where they stand (a head, an adapter, a gate); what no initialiser
gives are numbers beyond any weight, and those so small that only bytes which were
never written hold them."""

import functools
import sys
import weakref

from trainvet import gate, imports

HUGE = 1e8
DENORMAL = 1.17549435e-38
SHARE = 0.1  # of the values of a parameter that are looked at
SEEN = 256  # values that are looked at of one
AGAIN = 3  # times the same initialiser with the same numbers
MAX_TENSORS = 4096
RUNNING = ("running_mean", "running_var", "num_batches_tracked")
DRAWS = ("uniform_", "normal_", "trunc_normal_", "xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_", "orthogonal_", "sparse_")


class Guard:
    def __init__(self, live, stepping, training, models):
        self.live, self.stepping, self.training, self.models = live, stepping, training, models
        self.drawn = {}  # by tensor id: {(initialiser, its numbers): times}
        self.made = {}  # by tensor id: (weakref, its version and a few values when it had been drawn)
        self.nested = False
        self.evaluated = None  # Early: a model that was evaluated before its first step
        self.looked = False
        stepping.beginning.append(self.begins)
        models.modes.listeners.append(self.mode_set)
        live.after.append(self.summary)

    def actions(self):
        return {"torch.nn.init": self.initialisers, "torch.nn.modules.module": self.loads}

    def loads(self, module):
        """What a state writes, no forward has written."""
        cls, guard = module.Module, self
        original = cls.load_state_dict

        @functools.wraps(original)
        def load_state_dict(self, *args, **kwargs):
            out = original(self, *args, **kwargs)
            early = guard.evaluated
            if early is not None and early.before is not None and not early.done:
                early.awake()
            return out

        cls.load_state_dict = load_state_dict

    # initialisers

    def initialisers(self, module):
        for name in DRAWS:
            original = getattr(module, name, None)
            if original is not None:
                imports.put(module, name, self.counting(original, name))

    def counting(self, original, name):
        guard = self

        @functools.wraps(original)
        def draw(tensor, *args, **kwargs):
            if guard.nested or guard.looked:
                return original(tensor, *args, **kwargs)
            guard.nested = True
            try:
                return original(tensor, *args, **kwargs)
            finally:
                guard.nested = False
                guard.drew(tensor, name, args, kwargs)

        return draw

    def drew(self, tensor, name, args, kwargs):
        try:
            if len(self.drawn) < MAX_TENSORS and not gate.compiling():
                numbers = tuple(v for v in list(args) + sorted(kwargs.items()) if not hasattr(v, "shape"))
                times = self.drawn.setdefault(id(tensor), {})
                key = (name, str(numbers))
                times[key] = times.get(key, 0) + 1
                if gate.plain(tensor):
                    self.made[id(tensor)] = (weakref.ref(tensor), tensor._version, few(tensor))
        except Exception as e:
            self.live.report("initialisers", e)

    def untouched(self, tensor):
        """Whether a tensor is as it was drawn: nobody loaded it, nothing moved it."""
        ref, version, values = self.made.get(id(tensor), (None, 0, None))
        return ref is not None and ref() is tensor and tensor._version == version and values is not None and values == few(tensor)

    def drawn_again(self, held):
        names = []
        for n, p in held:
            times = max(self.drawn.get(id(p), {}).values(), default=0)
            if times >= AGAIN:
                names.append((n, times))
        self.drawn = {}
        if names:
            self.live.finding("initialised-again", "note", "%d parameters were drawn by the same initialiser up to %d times, once for each module around them: the first is %s"
                              % (len(names), max(t for _, t in names), names[0][0]), since=0, name=names[0][0], once="again")

    # before the first step

    def begins(self, optimizer):
        self.stepping.beginning.leave(self.begins)
        self.looked = True
        if gate.unreadable():
            return
        with self.live.budget:
            held = named(self.models, optimizer)
            self.drawn_again(held)
            self.never_written(held)

    def never_written(self, held):
        bad = [(n, why) for n, why in ((n, odd(p)) for n, p in held if p.requires_grad and gate.plain(p) and p.is_floating_point()) if why]
        if bad:
            self.live.finding("never-initialised", "degrade", "%d parameters hold before the first step what no initialiser gives: the first is %s, with %s" % (len(bad), bad[0][0], bad[0][1]),
                              since=1, name=bad[0][0], once="odd")

    # evaluated before it was made

    def mode_set(self, module, training):
        if self.live.step > 0:
            if not training and self.evaluated is not None and self.live.step > 1:
                self.evaluated.again = True
            return
        if gate.unreadable():
            return
        if not training:
            if self.evaluated is None and not self.models.modes.is_part(module):
                self.evaluated = Early(module, self.live.out.place())
                self.training.watchers.append(self.loss)
        elif self.evaluated is not None:
            self.evaluated.awake()

    def loss(self, loss):
        early = self.evaluated
        if early is None or early.done:
            self.training.watchers.leave(self.loss)
        elif not gate.unreadable():
            early.backward(self.live.step)

    def summary(self):
        early = self.evaluated
        if early is None or not early.changed:
            return
        text = "%s was evaluated before its first batch in training mode, which sets %s: the value is that of a model which nobody has initialised" % (early.name, ", ".join(sorted(early.changed)[:3]))
        self.live.finding("evaluated-before-initialised", "note" if early.again else "degrade", text, since=0, until=0, name=early.name, once="early", place=early.place)

    def forked(self):
        self.evaluated = None


class Early:
    """What the first forward in training mode writes into a model, and the second
    one does not: a scale that is taken from the first batch."""

    def __init__(self, module, place):
        self.ref, self.name, self.place = weakref.ref(module), type(module).__name__, place
        self.before = None  # values when it was set to train
        self.changed = set()
        self.again = self.done = False
        self.second = None

    def awake(self):
        module = self.ref()
        if module is not None:
            self.before = values(module)

    def backward(self, step):
        module = self.ref()
        if module is None or self.before is None:
            return
        now = values(module)
        if step <= 0:
            self.changed = {n for n, v in now.items() if n in self.before and not same(v, self.before[n])}
            self.done = not self.changed
            self.second = now
        else:
            # Buffers that go on to change are kept anew with each batch.
            buffers = {n for n, _ in module.named_buffers()}
            self.changed -= {n for n in self.changed & buffers if not same(now.get(n), self.second.get(n))}
            self.done = True


def values(module):
    out = {}
    for n, t in list(module.named_parameters()) + list(module.named_buffers()):
        if n.rpartition(".")[2] not in RUNNING and gate.plain(t) and t.numel() and t.device.type != "meta":
            flat = t.detach().reshape(-1)
            out[n] = flat[:: max(flat.numel() // 8, 1)].clone()
    return out


def same(a, b):
    return a is not None and b is not None and a.shape == b.shape and sys.modules["torch"].equal(a, b)


def odd(p):
    """What is wrong with the values of a parameter; empty: nothing is."""
    torch = sys.modules["torch"]
    flat = p.detach().reshape(-1)
    if not flat.numel() or flat.device.type == "meta":
        return ""
    some = flat[:: max(flat.numel() // SEEN, 1)].double()
    size = some.abs()
    if bool((~torch.isfinite(some)).any()):
        return "NaN or infinity"
    if float(size.max()) > HUGE:
        return "numbers up to %.3g" % float(size.max())
    tiny = float(((size > 0) & (size < DENORMAL)).double().mean()) if p.element_size() >= 4 else 0.0
    return "numbers as small as %.3g" % float(size[size > 0].min()) if tiny >= SHARE else ""


def named(models, optimizer):
    """The parameters that are about to train, by name where a model is known."""
    held = {id(p) for g in optimizer.param_groups for p in g["params"]}
    out, seen = [], set()
    for root in models.roots():
        for n, p in root.named_parameters():
            if id(p) in held and id(p) not in seen:
                seen.add(id(p))
                out.append((n, p))
    flat = [p for g in optimizer.param_groups for p in g["params"]]
    return out + [("parameter %d (%s)" % (i, "x".join(map(str, p.shape))), p) for i, p in enumerate(flat) if id(p) not in seen]


def few(t):
    """The first, a middle and the last value; None where they are far or unknown."""
    if not gate.plain(t) or t.device.type == "meta" or not t.numel():
        return None
    flat = t.detach().reshape(-1)
    return [flat[i].item() for i in (0, flat.numel() // 2, -1)]
