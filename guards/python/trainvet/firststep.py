"""Where a training stands at its first step: on which device parameters and loss
lie, in which dtypes, what a batch is, how many steps are planned, how much of the
model trains, which accelerators sit idle. Said once a process, into the record;
whoever started the run prints it, never the trainer's log.

A trainer that was asked for an accelerator and computes on the CPU, or does so
beside one that sits idle, is slower than asked, and nothing else: what is said of
its speed bears on no other value."""

import os
import sys

from trainvet import frozen, process

CODE = "first-step"
OPTIMIZERS = 4  # whose first steps are looked at
WAIT = 3  # steps until it is said of all optimizers that were seen


class Guard:
    """Seen gives the accelerators of the machine, as package accelerators' does."""

    def __init__(self, live, stepping, loaders, modes, intent, seen):
        self.live, self.stepping, self.loaders, self.modes, self.intent, self.seen = live, stepping, loaders, modes, intent, seen
        self.optimizers = {}  # by id: the parameters of those that made a step
        self.facts = {}
        self.loss = self.autocast = None
        self.made = None  # the latest loss scaler, and whether it was asked for
        self.backwards = 0
        self.done = False
        self.planned = lambda: 0
        self.more = []  # others that know something: f() gives a table of words
        self.loaded = frozen.Loaded()
        self.hears = []
        self.hear(stepping.listeners, self.stepped)
        live.after.append(self.write)

    def actions(self):
        return dict(self.loaded.actions(self.live), **{
            "torch.amp.grad_scaler": lambda m: self.scalers(m.GradScaler),
            "torch.cuda.amp.grad_scaler": lambda m: self.scalers(m.GradScaler),
        })

    def quietly(self, what, do, *args):
        try:
            do(*args)
        except Exception as e:
            self.live.report(what, e)

    def hear(self, event, f):
        """Of events, until the first step is over."""
        event.append(f)
        self.hears.append((event, f))

    def attend(self, training, precision):
        self.hear(training.begun, self.of_loss)
        self.hear(precision.entering, self.casts)

    # What is seen on the way to the first step.

    def of_loss(self, tensors):
        loss = tensors[0] if isinstance(tensors, (list, tuple)) and tensors else tensors
        self.backwards += 1
        if self.loss is None and hasattr(loss, "dtype"):
            self.loss = (str(loss.device), dtype(loss))

    def casts(self, context):
        if self.autocast is None:
            self.autocast = (str(getattr(context, "device", "")), str(getattr(context, "fast_dtype", "")).replace("torch.", ""))

    def scalers(self, cls):
        """Known from when they are made. By __new__: a frame around __init__ would be
        the caller that PyTorch's warnings name."""
        if cls.__new__ is not object.__new__:
            return
        guard = self

        def __new__(made, *args, **kwargs):
            scaler = object.__new__(made)
            if not guard.done:
                guard.made = (scaler, kwargs.get("enabled", True))
            return scaler

        cls.__new__ = __new__

    def scaler(self):
        if self.made is None:
            return "none"
        scaler, asked = self.made
        if getattr(scaler, "_enabled", False):
            return "live"
        return "disabled itself: its device is not available" if asked else "off, as asked"

    # The first step.

    def stepped(self, optimizer, ledger, scaled):
        if id(optimizer) not in self.optimizers and len(self.optimizers) < OPTIMIZERS:
            self.optimizers[id(optimizer)] = [p for g in optimizer.param_groups for p in g["params"]]
            if len(self.optimizers) == 1:
                self.first(ledger)
        elif ledger.attempted >= WAIT:
            self.write()

    def first(self, ledger):
        latest = self.loaders.latest
        if latest is not None:
            size = latest.size or (latest.samples() // latest.batches if latest.batches else 0)
            self.facts["batch"] = str(size or "not known")
            micro = max(self.backwards, 1)
            if size:
                self.facts["global batch"] = "%d" % (size * micro * world())
                if micro > 1:
                    self.facts["accumulation"] = "%d backward passes a step" % micro
        self.facts["world"] = "%d" % world()

    def write(self):
        """Once: at the third step, or at the end of a process that made fewer."""
        if self.done or not self.optimizers:
            return
        self.done = True
        for event, f in self.hears:
            event.leave(f)
        params = {id(p): p for held in self.optimizers.values() for p in held}
        whole = frozen.look(list(params.values()), self.modes, self.live.modules)
        self.optimizers = {}
        self.facts.update(where(list(params.values())))
        if self.loss is not None:
            self.facts["loss"] = "%s %s" % self.loss
        self.facts["autocast"] = "%s %s" % self.autocast if self.autocast is not None else "none"
        self.facts["scaler"] = self.scaler()
        self.made = None
        if self.planned():
            self.facts["steps planned"] = "%d" % self.planned()
        self.facts["trainable"] = whole.share()
        self.device()
        for know in self.more:
            self.quietly("facts of the first step", lambda: self.facts.update(know()))
        self.put()
        whole.judge(self.live, self.loaded)

    def device(self):
        """Asked and got, and what sits idle."""
        wanted, word, said = self.intent.command_line().wanted()
        got = self.facts["device"]
        idle = [a for a in self.seen() if not a.used(got)]
        if idle:
            self.facts["idle"] = ", ".join(a.text for a in idle)
        if wanted in ("gpu", "cpu"):
            self.facts["asked"], self.facts["said"] = word, said
        if got != "cpu":
            return
        self.facts["why"] = "as asked" if wanted == "cpu" else "hidden by %s" % said if wanted == "hidden" else "nothing moved them" if idle else "PyTorch sees no accelerator"
        text = ""
        if wanted == "gpu":
            text = "asked for %s (%s), and all parameters are on the CPU%s" % (word, said, why_not(idle))
        elif wanted == "auto" and idle:
            text = "the CPU trains beside %s, which sits idle%s" % (idle[0].text, why_not(idle))
        if text:
            self.facts["slow"] = text
            self.live.finding("accelerator-idle", "note", text, since=1, once="device")

    def put(self):
        rank = process.rank()
        self.live.out.write("held", {
            "code": CODE, "effect": "note", "group": "first step of %d" % os.getpid(), "member": "rank %d" % (rank or 0),
            "expect": "nothing", "text": "where the training stands at its first step",
            "items": [{"step": 1, "name": name, "value": str(value)[:512]} for name, value in self.facts.items()],
        })


def where(params):
    """Device and dtypes of the parameters, the most of them first."""
    devices, kinds, frozen_kinds = {}, {}, {}
    for p in params:
        n = p.numel()
        devices[str(p.device)] = devices.get(str(p.device), 0) + n
        of = kinds if p.requires_grad else frozen_kinds
        of[dtype(p)] = of.get(dtype(p), 0) + n
    order = sorted(devices, key=lambda d: -devices[d])
    out = {"device": order[0] if order else "", "parameters": ", ".join(sorted(kinds, key=lambda k: -kinds[k])) or "none"}
    if len(order) > 1:
        out["devices"] = ", ".join(order[:8])
    if set(frozen_kinds) - set(kinds):
        out["frozen parameters"] = ", ".join(sorted(frozen_kinds))
    return out


def why_not(idle):
    return " (%s)" % idle[0].why if idle and idle[0].why else ""


def dtype(t):
    return str(t.dtype).replace("torch.", "")


def world():
    dist = sys.modules.get("torch.distributed")
    started = getattr(dist, "is_initialized", None)
    return dist.get_world_size() if started is not None and started() else process.world() or 1
