"""Whether a model in evaluation answers the same to whatever it is asked: outputs
that are bit for bit alike for inputs that are not.

A model that names one class for good reasons gives other numbers for each input. One
that gives the same says so itself: its bias is the answer, its last weights are 0, its
last function stands at its bound. That is a note. Where nothing in it explains the
answer, somebody else wrote it, or nobody did: the memory was handed out as it was."""

import struct
import sys
import weakref

from trainvet import caller, content, evaluation, gate

SAMPLES = 8  # that were asked differently and answered alike
VALUES = 64  # of a row, at first sight
ROWS, WHOLE = 64, 4096  # that are compared then
FEW = 4  # values of half precision that may be alike by chance
MAX_WATCHED = 64
BOUNDS = {"ReLU": (0.0,), "ReLU6": (0.0, 6.0), "Sigmoid": (0.0, 1.0), "Tanh": (-1.0, 1.0), "Hardtanh": (-1.0, 1.0), "Hardsigmoid": (0.0, 1.0), "Softmax": (0.0, 1.0), "Softplus": (0.0,)}

# Bytes of 0x01 as numbers: what some drivers leave where no kernel wrote.
FILLS = {
    "torch.float32": struct.unpack("<f", b"\x01" * 4)[0],
    "torch.float64": struct.unpack("<d", b"\x01" * 8)[0],
    "torch.float16": struct.unpack("<e", b"\x01" * 2)[0],
    "torch.bfloat16": struct.unpack("<f", b"\x00\x00\x01\x01")[0],
}


class Guard:
    """Evaluation tells of outputs that it looks at."""

    def __init__(self, live, evaluation_):
        self.live = live
        self.answers = {}  # by id of a module: Answer
        self.filled = False
        evaluation_.outputs.append(self.output)

    def output(self, module, args, output):
        t = answer(output)
        if t is None or not t.shape[0]:
            return
        first, last = t[0].reshape(-1)[:VALUES], t[-1].reshape(-1)[:VALUES]
        if filled(last, t):
            self.unwritten(module, last)
            return
        if t.shape[0] > 1 and not sys.modules["torch"].equal(first, last):
            self.answers.pop(id(module), None)
            return
        self.look(module, args, t)

    def unwritten(self, module, row):
        """Once: a fault sticks."""
        if not self.filled:
            self.filled = True
            self.live.fault("fill-float", "an output of %s holds bytes of 0x01 where numbers should be: no kernel wrote it" % type(module).__name__, value="%r" % row[0].item())

    def look(self, module, args, t):
        asked = inputs(args, t.shape[0])
        if asked is None:
            return
        same, n = alike(t), unlike(asked)
        if not same:
            self.answers.pop(id(module), None)
            return
        row = t[0].reshape(-1)[:WHOLE]
        digest = "%s %s" % (tuple(t.shape[1:]), content.digest(row))
        kept = self.answers.get(id(module))
        if kept is None or kept.module() is not module or kept.digest != digest:
            if len(self.answers) >= MAX_WATCHED:
                self.answers.clear()
            kept = self.answers[id(module)] = Answer(module, digest, max(self.live.step, 0))
        kept.add(n, content.digest(asked[0]))
        if kept.n >= SAMPLES and not kept.said and not by_chance(row):
            kept.said = True
            self.say(module, row, kept)

    def say(self, module, row, kept):
        why = explained(module, row)
        text = "%s in evaluation gives one and the same output, bit for bit, for each of %d inputs that are not the same" % (type(module).__name__, kept.n)
        text += "; " + why if why else "; nothing in the model says why"
        self.live.finding("constant-output", "note" if why else "unprove", text, since=kept.since, name=type(module).__name__, once=(id(module), bool(why)))

    def forked(self):
        self.answers, self.filled = {}, False


class Answer:
    """What a model answered the last times, if it was always the same."""

    def __init__(self, module, digest, since):
        self.module, self.digest, self.since = weakref.ref(module), digest, since
        self.n, self.said = 0, False
        self.asked = None

    def add(self, n, asked):
        """So many inputs of a batch are unlike its first; that one may be unlike the
        one before."""
        self.n += n + (self.asked is not None and asked != self.asked) + (self.asked is None)
        self.asked = asked


def answer(output):
    """The tensor that is the answer: logits by name, else the only one that has
    numbers. Boxes and their anchors are several."""
    if isinstance(output, dict) and "logits" in output:
        found = [output["logits"]]
    else:
        found = [t for t in evaluation.tensors_of(output) if t.ndim and t.is_floating_point()]
    if len(found) != 1 or not evaluation.readable(found[0]) or not found[0].ndim:
        return None
    return found[0].detach()


def inputs(args, rows):
    """What the model was asked: a tensor with as many rows. A call by keywords is
    seen by no hook, but its frame holds them."""
    given = content.tensors_of(args) or content.tensors_of(keywords())
    for t in given:
        if t.ndim and t.shape[0] == rows and gate.plain(t) and t.numel() and t.device.type != "meta":
            return t.detach()
    return None


def keywords():
    frame = sys._getframe(3)
    for _ in range(8):
        if frame is None:
            return {}
        if frame.f_code.co_name in ("inner", "_call_impl") and caller.of_library(frame.f_globals.get("__name__") or ""):
            held = caller.locals_of(frame).get("kwargs")
            if isinstance(held, dict):
                return held
        frame = frame.f_back
    return {}


def alike(t):
    flat = t[:ROWS].reshape(min(t.shape[0], ROWS), -1)[:, :WHOLE]
    return bool((flat == flat[:1]).all())


def unlike(t):
    """Rows that are not the first one."""
    flat = t[:ROWS].reshape(min(t.shape[0], ROWS), -1)[:, :WHOLE]
    return int((flat != flat[:1]).any(dim=1).sum())


def by_chance(row):
    """Half precision holds so few numbers that a model that is not sure of anything
    gives one of them again and again."""
    return row.element_size() < 4 and row.numel() < FEW * FEW


def filled(row, t):
    """A row of the value that is no number of a model."""
    value = FILLS.get(str(t.dtype))
    return value is not None and row.numel() >= FEW and row[:FEW].tolist() == [value] * FEW


def explained(module, row):
    """What in the model says that this is its answer; empty: nothing."""
    last = None
    width = row.numel()
    for m in module.modules():
        if not m._modules:
            last = m
    bound = BOUNDS.get(type(last).__name__)
    if bound is not None and all(v in bound for v in row[:WHOLE].tolist()):
        return "its last function, %s, stands at its bound" % type(last).__name__
    for name, p in list(module.named_parameters()):
        if not gate.plain(p) or not p.numel() or not p.is_floating_point():
            continue
        if p.ndim > 1 and width % p.shape[0] == 0 and not bool(p.any()):
            return "%s is all 0" % name
        if p.ndim == 1 and p.numel() <= width and width % p.numel() == 0 and says(p.detach(), row):
            return "it is what %s says by itself" % name
    return ""


def says(p, row):
    torch = sys.modules["torch"]
    rows = row.reshape(-1, p.numel())
    p = p.to(row.dtype).to(row.device)
    for of in (lambda v: v, torch.sigmoid, torch.tanh, torch.relu, lambda v: torch.softmax(v, -1), lambda v: torch.log_softmax(v, -1)):
        if bool((rows == of(p)).all()):
            return True
    return False
