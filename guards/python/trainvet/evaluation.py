"""Whether what an evaluation rests on is finite: parameters and buffers when it
begins, outputs while it goes on.

Infinity can be meant: a causal mask, the least value seen so far, a padded row
of logits. What was so before the first step, and never changes with one, is no
accident of this run."""

import collections
import sys
import time
import weakref

from trainvet import caller, steps

LOOKED_AT = 10  # first looks, whatever they cost
SHARE = 0.01  # of the time of the run, afterwards
STATISTICS = "running_"  # buffers that a batch norm keeps
PARTS = 16  # of a model that is told its mode and whose forward is not what is called
DEPTH = 64  # frames between a part and the model around it
FAST_PATHS = ("torch.nn.modules.transformer", "torch.nn.modules.activation")  # left where a hook stands on the module


class Guard:
    """Modes is package modes' guard, which says when an evaluation begins."""

    def __init__(self, live, modes, training):
        self.live, self.modes, self.training = live, modes, training
        self.count = live.count("finite", 0, ("loss", "gradient", "output", "buffer", "nonfinite"))
        self.began = time.monotonic()
        self.spent = 0.0
        self.looks = 0
        self.meant = {}  # by module id: (module, names of what was not finite before the first step)
        self.watched = {}  # modules in evaluation whose outputs are looked at
        self.watching, self.leaving = [], []  # told of each that is, and is not any more
        self.outputs = []  # told of each output that is looked at: f(module, args, output)
        self.called = weakref.WeakSet()  # those whose own forward is what gives the outputs
        self.compiled = False  # torch.compile, script or export was called
        modes.listeners.append(self.mode_set)

    def mode_set(self, module, training):
        if self.live.step <= 0 and id(module) not in self.meant:
            self.meant[id(module)] = (weakref.ref(module), meant(module))
        if training:
            self.unwatch(module)
        elif not self.modes.is_part(module):
            self.check_state(module)
            self.watch(module)

    def may_look(self, spent, began):
        return spent <= SHARE * (time.monotonic() - began)

    # parameters and buffers

    def check_state(self, module):
        """One look at each buffer, and at the parameters while time lasts."""
        self.check("buffer", "nonfinite-buffer", self.bad_buffers(module))
        self.looks += 1
        if self.looks > LOOKED_AT and not self.may_look(self.spent, self.began):
            return
        start = time.monotonic()
        self.check("parameter", "nonfinite-parameter", self.bad_parameters(module))
        self.spent += time.monotonic() - start

    def bad_buffers(self, module):
        known = self.known(module)
        return [name for name, t in nonfinite(self.counted(module.named_buffers())) if name not in known and not is_mask(name, t)]

    def bad_parameters(self, module):
        known = self.known(module)
        return [name for name, t in nonfinite(self.counted(module.named_parameters())) if name not in known]

    def counted(self, named):
        for name, t in named:
            if readable(t):
                self.count.ran(1)
                yield name, t.detach()

    def known(self, module):
        ref, names = self.meant.get(id(module), (None, ()))
        return names if ref is not None and ref() is module else ()

    def check(self, kind, code, bad):
        if not bad:
            return
        self.count.tally["nonfinite"] += len(bad)
        text = "%d %ss hold NaN or infinity at the start of an evaluation: %s" % (len(bad), kind, ", ".join(bad[:4]))
        since = max(self.live.step, 0)
        first = self.training.first_nonfinite
        if first is not None:
            since = first
            text += "; the loss was first not finite at step %d" % since
        self.live.finding(code, "poison", text, since=since, name=bad[0], once=(code, bad[0]))

    # outputs

    def watch(self, module):
        """Looks at the outputs of a model while it evaluates. Some are never called
        as a whole: the trainer calls a part, in a step or a function of the model."""
        if self.hook(module):
            for told in self.watching:
                told(module)
        if module not in self.called:
            for part in parts(module):
                self.hook(part, module)

    def hook(self, module, whole=None):
        torch = sys.modules["torch"]
        if self.compiled or isinstance(module, torch.jit.ScriptModule) or type(module).__module__ in FAST_PATHS:
            return False  # a hook would be one more thing for a compiler to look at
        before = module.__dict__.get("_forward_hooks")
        kept = self.watched.get(id(module))
        if (kept is not None and kept.ref() is module) or type(before) is not collections.OrderedDict or before:
            return False  # hooks of others are held by their dictionary
        self.watched[id(module)] = Watch(self, module, before, whole)
        return True

    def unwatch(self, module):
        self.leave_parts(module)
        kept = self.watched.pop(id(module), None)
        if kept is not None:
            if kept.whole is None:
                for told in self.leaving:
                    told(module)
            kept.leave()

    def leave_parts(self, whole):
        for key, kept in list(self.watched.items()):
            if kept.whole is not None and kept.whole() in (whole, None):
                del self.watched[key]
                kept.leave()

    def is_called(self, module):
        """A whole that gives outputs itself: what its parts give is its own matter."""
        if module not in self.called:
            self.called.add(module)
            self.leave_parts(module)

    def leave_modules(self):
        self.compiled = True
        for kept in self.watched.values():
            for told in self.leaving if kept.whole is None else ():
                told(kept.ref())
            kept.leave()
        self.watched = {}

    def output(self, module, output):
        for t in tensors_of(output):
            if readable(t):
                self.count.ran(t.numel())
                self.count.tally["output"] += 1
                self.values(module, t.detach())

    def values(self, module, t):
        torch = sys.modules["torch"]
        if bool(torch.isfinite(t).all()):
            return
        effect = grade(torch, t)
        if effect is None:
            return
        self.count.tally["nonfinite"] += 1
        text = "an evaluation output of %s holds NaN or infinity: argmax over it names class 0" % type(module).__name__
        if effect == "note":
            text = "an evaluation output of %s has rows without a finite number, or is a loss that is not finite" % type(module).__name__
        self.live.finding("nonfinite-output", effect, text, since=max(self.live.step, 0), name=type(module).__name__, once=("output", effect, self.live.step if effect == "poison" else 0))


class Watch:
    """The hook on one module. It stands in a dictionary of its own kind, so that
    a copy of the module, or one that is pickled, is without it."""

    def __init__(self, guard, module, before, whole=None):
        self.guard, self.before = guard, before
        self.ref, self.whole = weakref.ref(module), None if whole is None else weakref.ref(whole)
        self.looks, self.spent, self.began = 0, 0.0, time.monotonic()
        module.__dict__["_forward_hooks"] = self.hooks = Hooks()
        self.handle = module.register_forward_hook(self.look)
        self.hooks.ours = self.handle.id

    def look(self, module, args, output):
        if steps.unreadable() or module is not self.ref():
            return
        self.looks += 1
        if self.looks > LOOKED_AT and not self.guard.may_look(self.spent, self.began):
            return
        start = time.monotonic()
        try:
            if self.whole is None:
                self.guard.is_called(module)
                self.guard.output(module, output)
                for told in self.guard.outputs:
                    told(module, args, output)
            elif not runs(self.whole(), sys._getframe(1)):
                self.guard.output(module, output)
        except Exception as e:
            self.guard.live.report("evaluation output", e)
        self.spent += time.monotonic() - start

    def leave(self):
        """The dictionary of before comes back, unless it is in use by others."""
        self.handle.remove()
        module = self.ref()
        if module is not None and module.__dict__.get("_forward_hooks") is self.hooks and not self.hooks:
            module.__dict__["_forward_hooks"] = self.before


class Hooks(collections.OrderedDict):
    ours = None

    def __reduce__(self):
        return collections.OrderedDict, (), None, None, iter([(k, v) for k, v in self.items() if k != self.ours])


def parts(whole):
    """The parts of a model that may be called by themselves: those with parameters, of
    a list each of its own."""
    torch = sys.modules["torch"]
    lists = torch.nn.ModuleList, torch.nn.ModuleDict
    found = []
    for child in whole.children():
        found += child.children() if isinstance(child, lists) else [child]
    return [m for m in found[:PARTS] if next(m.parameters(), None) is not None]


def runs(whole, frame):
    """Whether the forward of a model is being computed, by the frames of those that
    are called."""
    call = getattr(sys.modules["torch"].nn.Module, "_call_impl", None)
    code = getattr(call, "__code__", None)
    for _ in range(DEPTH):
        if frame is None or code is None:
            break
        if frame.f_code is code and caller.locals_of(frame).get("self") is whole:
            return True
        frame = frame.f_back
    return code is None


def meant(module):
    """What is not finite before a step was made: no statistics, no NaN in a
    parameter."""
    buffers = [name for name, t in nonfinite(floating(module.named_buffers())) if not is_statistic(name)]
    return set(buffers)


def floating(named):
    return ((name, t.detach()) for name, t in named if readable(t))


def nonfinite(named):
    """Those with NaN or infinity. Sums are taken first, one copy from a device
    for all of them; a sum that overflowed is looked at again."""
    torch = sys.modules["torch"]
    by_device = {}
    for name, t in named:
        by_device.setdefault(t.device, []).append((name, t))
    for held in by_device.values():
        sums = torch.stack([t.sum().float() for _, t in held])
        for (name, t), sound in zip(held, torch.isfinite(sums).tolist()):
            if not sound and not bool(torch.isfinite(t).all()):
                yield name, t


def is_statistic(name):
    return name.rpartition(".")[2].startswith(STATISTICS)


def is_mask(name, t):
    """Infinity without NaN, outside the statistics of a batch: a mask, a bound."""
    return not is_statistic(name) and not bool(sys.modules["torch"].isnan(t).any())


def grade(torch, t):
    """None: a mask of -inf beside numbers, which is healthy. Rows that are all
    -inf are the padding of a batch, unless all of them are."""
    if t.ndim == 0:
        return "note"
    if bool((torch.isnan(t) | (t == float("inf"))).any()):
        return "poison"
    if t.ndim < 2:
        return None if bool(torch.isfinite(t).any()) else "poison"
    numbers = torch.isfinite(t).reshape(-1, t.shape[-1]).any(dim=1)
    if bool(numbers.all()):
        return None
    return "note" if bool(numbers.any()) else "poison"


def readable(t):
    wide = steps.plain(t) and t.is_floating_point() and t.element_size() > 1  # floats of 8 bits have no arithmetic
    return wide and t.numel() > 0 and t.device.type != "meta"


def tensors_of(output):
    if isinstance(output, dict):
        output = list(output.values())
    if isinstance(output, (list, tuple)):
        return [t for part in output[:8] for t in tensors_of(part)][:16]
    return [output] if isinstance(output, sys.modules["torch"].Tensor) else []
