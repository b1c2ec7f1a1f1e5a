"""Steps that are made while what they train is in evaluation mode: its dropout
and batch norm do not train.

The mode that counts is that of the modules whose parameters the optimizer moves.
A frozen backbone in evaluation mode, a head that trains beside it, a batch norm
that is held: all of these are meant."""

import functools
import threading
import weakref

from trainvet import steps
from trainvet.gate import LOOKED_AT
from trainvet.live import NONE


class Guard:
    """Listeners are told of each outermost call of train or eval:
    listener(module, training)."""

    def __init__(self, live, stepping):
        self.live = live
        self.stepping = stepping
        self.roots = {}  # modules whose mode was set, by id
        self.asleep = {}  # those of them that were set to evaluate last
        self.changes, self.last = 0, None  # calls of train or eval that may change something; of whom the last one was
        self.nesting = Nesting()
        self.listeners = []
        self.steps = 0  # made by a model asleep that was awake before
        self.since = None
        live.after.append(self.summary)

    def actions(self):
        return {"torch.nn.modules.module": self.modes}

    def modes(self, module):
        cls, guard, nesting = module.Module, self, self.nesting
        original = cls.train

        @functools.wraps(original)
        def train(self, mode=True):
            if nesting.inside:  # of each module of a model: nothing may cost less
                return original(self, mode)
            nesting.inside = True
            try:
                out = original(self, mode)
            finally:
                nesting.inside = False
            if not steps.unreadable():
                guard.set(self, bool(mode))
            return out

        cls.train = train

    def set(self, module, mode):
        kept = self.roots.get(id(module))
        if mode and kept is not None and kept.woke and kept.training and self.live.step > LOOKED_AT and kept.ref() is module:
            kept.at = self.live.step
            return  # some trainers say it before each step
        for listener in [self.mode_set] + self.listeners:
            try:
                listener(module, mode)
            except Exception as e:
                self.live.report("train and eval", e)

    def mode_set(self, module, mode):
        root = self.root(module)
        if root.training != mode or root is not self.last:
            self.changes, self.last = self.changes + 1, root
        root.training = mode
        if mode:
            self.asleep.pop(id(module), None)
        else:
            root.between = self.fell_asleep(root, module)
            self.asleep[id(module)] = root
            self.stepping.listeners.append(self.stepped)
        root.at = self.live.step
        root.woke = root.woke or mode

    def root(self, module):
        kept = self.roots.get(id(module))
        if kept is None or kept.ref() is not module:
            if kept is None and len(self.roots) >= 256:
                self.roots = {k: r for k, r in self.roots.items() if r.ref() is not None}
            kept = self.roots[id(module)] = Root(module)
        return kept

    def is_part(self, module):
        """Whether it belongs to a model that trains: a batch norm that is held, a
        backbone that is frozen. That is no evaluation."""
        for root in list(self.roots.values()):
            whole = root.ref()
            if whole is not None and whole is not module and whole.training and root.holds(module):
                return True
        return False

    def fell_asleep(self, root, module):
        """Whether it is a part of a model that trains and was awake at its last step:
        who means it puts a part to sleep where the whole was told its mode, at the
        begin of an epoch, and not between two steps."""
        if root.slept == self.live.step:  # it sleeps as it did
            return root.between
        if self.live.step <= 0:
            return False
        wholes = [r for r in self.roots.values() if r is not root and r.ref() is not None and r.ref().training and r.holds(module)]
        return bool(wholes) and all(self.live.step > r.at for r in wholes)

    def awake_before(self, module):
        """It, or a model that it is a part of, was set to train once."""
        return any(r.woke and (r.ref() is module or r.holds(module)) for r in list(self.roots.values()) if r.ref() is not None)

    def trains(self):
        return any(r.woke for r in self.roots.values())

    def stepped(self, optimizer, ledger, scaled):
        if not self.asleep:
            self.stepping.leave(self.stepped)
            return
        anew = ledger.due
        for key, root in list(self.asleep.items()):
            if root.ref() is None:
                del self.asleep[key]
                continue
            if not root.asleep():
                continue
            root.slept = self.live.step
            if root.trains_asleep(optimizer, self.changes, anew) and (root.between or not self.is_part(root.ref())):
                self.asleep_at(root, max(self.live.step, 1))
                return

    def asleep_at(self, root, step):
        woke = root.between or self.awake_before(root.ref())
        if woke:
            self.steps += 1
            self.since = self.since or step
        # A model that was never set to train may be meant so.
        self.live.finding("trained-in-eval-mode", "degrade" if woke else "note",
                          "step %d is made while %s is in evaluation mode: its dropout and batch norm do not train" % (step, root.name),
                          since=step, name=root.name, once=("eval", woke))

    def summary(self):
        if self.steps > 1:
            attempted = sum(l.attempted for l in self.stepping.ledgers.values())
            self.live.finding("trained-in-eval-mode", "degrade", "%d of %d steps were made in evaluation mode" % (self.steps, attempted),
                              since=self.since, once="eval share")


class Root:
    """A module whose mode the trainer sets."""

    def __init__(self, module):
        self.ref = weakref.ref(module)
        self.name = type(module).__name__
        self.training = True
        self.woke = False  # it was set to train once
        self.at = self.slept = NONE  # the step behind which its mode was set; the last one that was made while it slept
        self.between = False  # it was put to sleep between two steps of a model that trains
        self.parts = None
        self.changes = None
        self.known = {}  # by optimizer id: (changes of modes until then, whether it trains what sleeps)

    def holds(self, module):
        """Whether the other one is a part of it, as it was when first asked."""
        if self.parts is None:
            whole = self.ref()
            self.parts = weakref.WeakSet(whole.modules()) if whole is not None else ()
        return module in self.parts

    def asleep(self):
        module = None if self.training else self.ref()
        return module is not None and not module.training

    def trains_asleep(self, optimizer, changes, anew):
        """The answer of before, as long as no mode was set; at some steps asked anew."""
        at, answer = self.known.get(id(optimizer), (-1, False))
        if anew or at != changes:
            answer = self.trained_by(optimizer)
            self.known[id(optimizer)] = changes, answer
        return answer

    def trained_by(self, optimizer):
        """Whether half of what the optimizer moves lies in modules of this one
        that are in evaluation mode, where that mode changes what is computed."""
        module = self.ref()
        if self.changes is None:
            self.changes = changes_with_mode(module)
        if not self.changes:
            return False
        moved = {id(p) for g in optimizer.param_groups for p in g["params"] if p.requires_grad}
        own = {id(p) for m in module.modules() if not m.training for p in m._parameters.values() if p is not None}
        return bool(moved) and len(moved & own) * 2 >= len(moved)


class Nesting(threading.local):
    """Whether a call of train or eval is being made within another, in each thread."""

    inside = False


def changes_with_mode(root):
    """Whether evaluation mode changes what it computes."""
    for m in root.modules():
        name = type(m).__name__
        if ("Dropout" in name and getattr(m, "p", 0) > 0) or "BatchNorm" in name:
            return True
        if isinstance(getattr(m, "dropout", None), float) and m.dropout > 0:
            return True
    return False
