"""Whether the precision that was asked for is the one that is computed in: the
results of the matrix products and convolutions behind the first losses, against
the autocast that they ran under and what the arguments say.

Types alone are read, from the graph of a loss that is walked anyway. A part that is
kept in float32, a head, norms, a loss: as long as some products are in the type
that was asked for, it was heard."""

import functools
import sys

from trainvet import events, gate
from trainvet.training import MAX_NODES

LOOKED_AT = 3  # losses
PRODUCTS = ("Addmm", "Mm", "Bmm", "Baddbmm", "Addbmm", "Convolution", "ConvolutionOverrideable", "Linear", "ScaledDot")
FAST = ("*per_sec*", "*throughput*", "*speed*")
SHORT = {"torch.float32": "float32", "torch.float16": "float16", "torch.bfloat16": "bfloat16"}


FLAGS = {"bf16": "bfloat16", "use_bf16": "bfloat16", "bfloat16": "bfloat16", "fp16": "float16", "use_fp16": "float16", "float16": "float16", "half": "float16"}
NAMED = ("precision", "mixed_precision", "dtype", "torch_dtype", "amp_dtype")


class Guard:
    """Listens to the arguments that package settings is told of."""

    def __init__(self, live, training, modes, settings=None):
        self.live, self.training = live, training
        self.by_arguments = set()
        getattr(settings, "listeners", []).append(lambda source, values: self.told(values))
        self.entered = None  # the type of the autocast that was entered, gradients being made
        self.entering = events.Event()  # told of each autocast that is entered: f(context)
        self.entering.append(self.enter)
        self.methods = events.Replaced()
        self.looks = self.missed = 0
        self.first = 1
        self.seen = set()  # types of the products behind the losses that were looked at
        training.watchers.append(self.loss)
        modes.listeners.append(self.mode_set)

    def actions(self):
        return {"torch.amp.autocast_mode": self.autocast}

    def autocast(self, module):
        cls, guard = module.autocast, self
        original = cls.__enter__

        @functools.wraps(original)
        def __enter__(self):
            out = original(self)
            if guard.entering.told and getattr(self, "_enabled", False) and not gate.compiling():
                guard.enters(self)
            return out

        self.methods.set(cls, "__enter__", original, __enter__)

    def enters(self, context):
        for told in self.entering:
            try:
                told(context)
            except Exception as e:
                self.entering.leave(told)
                self.live.report("autocast", e)

    def told(self, values):
        found = asked_by(values) if isinstance(values, dict) else None
        if found:
            self.by_arguments.add(found)

    def asked(self):
        """What the arguments ask for, where they are at one."""
        return next(iter(self.by_arguments)) if len(self.by_arguments) == 1 else None

    def enter(self, context):
        if sys.modules["torch"].is_grad_enabled():
            self.entered = getattr(context, "fast_dtype", None)

    def mode_set(self, module, training):
        self.entered = None

    def loss(self, loss):
        self.looks += 1
        if self.looks >= LOOKED_AT:
            self.training.watchers.leave(self.loss)
            self.entering.leave(self.enter)
        if not self.entering.told:
            self.methods.back()
        entered, self.entered = self.entered, None
        if loss.grad_fn is None:
            return
        kinds = products(loss.grad_fn)
        if not kinds:
            return
        self.seen.update(str(k) for k in kinds)
        named = {SHORT.get(str(k), str(k)) for k in kinds}
        want = SHORT.get(str(entered), str(entered)) if entered is not None else None
        asked = self.asked()
        at = max(self.live.step, 0) + 1
        if want is not None and named == {"float32"} and want != "float32":
            self.missed += 1
            self.first = at if self.missed == 1 else self.first
            if self.looks == LOOKED_AT and self.missed == LOOKED_AT:
                self.not_applied(want, sum(kinds.values()))
        elif asked in ("float16", "bfloat16") and named & {"float16", "bfloat16"} and asked not in named:
            self.live.finding("precision-differs", "degrade", "%s was asked for, and all products of half precision are in %s" % (asked, ", ".join(sorted(named - {"float32"}))), since=at, once="asked")

    def not_applied(self, want, n):
        text = "autocast to %s was asked for, and all %d matrix products and convolutions behind the loss are in float32" % (want, n)
        self.live.finding("precision-not-applied", "note", text, since=self.first, once="asked")
        for pattern in FAST:  # a value of speed is not that of the precision it names
            self.live.finding("precision-not-applied", "degrade", text, since=self.first, metric=pattern, once=pattern)


def asked_by(values):
    """The half precision that arguments name; None: none, or both."""
    found = {FLAGS[k] for k, v in values.items() if isinstance(k, str) and v is True and k in FLAGS}
    for key in NAMED:
        word = str(values.get(key)).rpartition(".")[2].lower()
        if word.startswith(("bf16", "bfloat16")):
            found.add("bfloat16")
        elif word.startswith(("fp16", "float16", "16-mixed", "16-true")) or word == "16":
            found.add("float16")
    return found.pop() if len(found) == 1 else None


def products(root):
    """How many products there are of each type, by the graph below a node."""
    seen, work, kinds = {root}, [root], {}
    while work and len(seen) < MAX_NODES:
        node = work.pop()
        if node.name().startswith(PRODUCTS):
            meta = getattr(node, "_input_metadata", None)
            if meta:
                kinds[meta[0].dtype] = kinds.get(meta[0].dtype, 0) + 1
        for inner, _ in node.next_functions:
            if inner is not None and inner not in seen:
                seen.add(inner)
                work.append(inner)
    return kinds
