"""Dropout in an evaluation: a call that was handed a probability and never the
mode. The model is in evaluation mode, each part of it, and measures another thing
each time.

A forward that leaves the state of the generator as it was drew nothing, which is
nearly all. Where one drew, the operations of the next one are listed, once: noise
that a model draws by design is none of this, nor is dropout of which many passes
over one input are averaged."""

import collections
import sys
import weakref

from trainvet import gate

LOOKED_AT = 3  # forwards of an evaluation
EVALUATIONS = 8


class Guard:
    """Evaluation is the guard that knows which modules evaluate."""

    def __init__(self, live, evaluation):
        self.live = live
        self.known = {}  # by module id: Model
        evaluation.watching.append(self.watch)
        evaluation.leaving.append(self.leave)
        live.after.append(self.summary)

    def watch(self, module):
        known = self.known.get(id(module))
        if known is None or known.ref() is not module:
            known = self.known[id(module)] = Model(self, module)
        if known.done or known.evaluations >= EVALUATIONS or not can_list(module):
            return
        known.evaluations += 1
        known.begin(module)

    def leave(self, module):
        known = self.known.get(id(module))
        if known is not None:
            known.end()

    def summary(self):
        for known in self.known.values():
            known.judge()

    def say(self, known):
        self.live.finding("dropout-in-evaluation", "degrade",
                          "%s drops values in evaluation mode (%s): each evaluation of it is another one" % (known.name, known.dropped),
                          since=max(known.step, 0), name=known.name, once=known.name, place=known.place)

    def forked(self):
        self.known = {}


class Model:
    """What the forwards of one module in evaluation mode drew."""

    def __init__(self, guard, module):
        self.guard, self.ref, self.name = guard, weakref.ref(module), type(module).__name__
        self.evaluations = self.looks = 0
        self.step, self.place = 0, None
        self.drew = self.done = self.repeated = False
        self.dropped = ""
        self.input, self.state = None, None
        self.handles, self.mode = [], None

    def begin(self, module):
        """Its hooks stand in dictionaries of their own kind: a copy of the module
        is without them."""
        if module.__dict__.get("_forward_pre_hooks"):
            return
        self.looks = 0
        before = module.__dict__["_forward_pre_hooks"]
        hooks = module.__dict__["_forward_pre_hooks"] = Hooks()
        handle = module.register_forward_pre_hook(self.enter)
        hooks.ours = handle.id
        self.handles = [(handle, hooks, before)]

    def enter(self, module, args):
        if module is not self.ref() or gate.unreadable():
            return
        try:
            self.look(module, args)
        except Exception as e:
            self.guard.live.report("evaluation forward", e)

    def look(self, module, args):
        self.leave_mode()
        self.looks += 1
        if self.looks == 1 and not self.drew:
            self.step, self.place = self.guard.live.step, self.guard.live.out.place()
        same = identity(args)
        self.repeated = self.repeated or (same is not None and same == self.input)
        self.input = same
        state = drawn()
        if self.state is not None and state != self.state and self.looks > 1:
            self.drew = True
        self.state = state
        if self.drew and not self.dropped and self.mode is None and not any(m.training for m in module.modules()):
            self.mode = listing(self)
            self.mode.__enter__()
            self.handles.append((module.register_forward_hook(self.after, always_call=True), None, None))
        elif self.looks > LOOKED_AT or self.dropped:
            self.judge()
            self.end()

    def after(self, module, args, output):
        self.leave_mode()

    def leave_mode(self):
        mode, self.mode = self.mode, None
        if mode is not None:
            mode.__exit__(None, None, None)

    def judge(self):
        if self.dropped and not self.done:
            self.done = True
            if not self.repeated:
                self.guard.say(self)

    def end(self):
        """The dictionary of before comes back, unless it is in use by others."""
        self.leave_mode()
        module = self.ref()
        for handle, hooks, before in self.handles:
            handle.remove()
            if hooks is not None and module is not None and module.__dict__.get("_forward_pre_hooks") is hooks and not hooks:
                module.__dict__["_forward_pre_hooks"] = before
        self.handles = []
        self.state = None


class Hooks(collections.OrderedDict):
    ours = None

    def __reduce__(self):
        return collections.OrderedDict, (), None, None, iter([(k, v) for k, v in self.items() if k != self.ours])


def listing(known):
    """A mode that sees each operation of one forward."""
    from torch.utils._python_dispatch import TorchDispatchMode

    class Listing(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            if not known.dropped:
                known.dropped = drops(func, args, kwargs or {})
            return func(*args, **(kwargs or {}))

    return Listing()


def drops(func, args, kwargs):
    """The name of an operation that drops values by a fixed probability."""
    schema = getattr(func, "_schema", None)
    if schema is None:
        return ""
    name = schema.name.rpartition("::")[2]
    given = {a.name: args[i] if i < len(args) else kwargs.get(a.name, a.default_value) for i, a in enumerate(schema.arguments)}
    if name == "bernoulli_" and isinstance(given.get("p"), float):
        return "dropout of %.3g" % (1 - given["p"]) if 0 < given["p"] < 1 else ""
    if name == "native_dropout" and given.get("train") is not False:
        return "dropout of %.3g" % given["p"] if given.get("p") else ""
    for key in ("dropout_p", "dropout"):
        if isinstance(given.get(key), float) and given[key] > 0 and given.get("train") is not False:
            return "%s with a dropout of %.3g" % (name.strip("_"), given[key])
    return ""


def can_list(module):
    torch = sys.modules["torch"]
    return hasattr(torch.utils, "_python_dispatch") and "_forward_hooks_always_called" in module.__dict__ and type(module.__dict__.get("_forward_pre_hooks")) is collections.OrderedDict


def drawn():
    """Where the generators stand: on a device that is a number on the host."""
    torch = sys.modules["torch"]
    out = [hash(torch.default_generator.get_state().numpy().tobytes()) if hasattr(torch.Tensor, "numpy") else None]
    cuda = sys.modules.get("torch.cuda")
    if cuda is not None and cuda.is_initialized():
        out += [g.get_offset() for g in cuda.default_generators if hasattr(g, "get_offset")]
    return out


def identity(args):
    """Which tensor came in first, and in which state; one that was made in
    inference mode counts no writes, a few values stand for them."""
    torch = sys.modules["torch"]
    for a in args[:4]:
        if isinstance(a, torch.Tensor) and gate.plain(a):
            version = tuple(a.reshape(-1)[:16].tolist()) if a.is_inference() else a._version
            return a.data_ptr(), version, tuple(a.shape)
    return None
