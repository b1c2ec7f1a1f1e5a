"""Steps that are made while what they train is in evaluation mode: its dropout
and batch norm do not train.

The mode that counts is that of the modules whose parameters the optimizer moves.
A frozen backbone in evaluation mode, a head that trains beside it, a batch norm
that is held: all of these are meant."""

import functools
import weakref

from trainvet import steps


class Guard:
    """Listeners are told of each outermost call of train or eval:
    listener(module, training)."""

    def __init__(self, live, stepping):
        self.live = live
        self.stepping = stepping
        self.roots = {}  # modules whose mode was set, by id
        self.listeners = []
        self.steps = 0  # made by a model asleep that was awake before
        self.since = None
        stepping.listeners.append(self.stepped)
        live.after.append(self.summary)

    def actions(self):
        return {"torch.nn.modules.module": self.modes}

    def modes(self, module):
        cls, guard = module.Module, self
        original = cls.train

        @functools.wraps(original)
        def train(self, mode=True):
            nested = getattr(guard.live.local, "mode", False)
            guard.live.local.mode = True
            try:
                out = original(self, mode)
            finally:
                guard.live.local.mode = nested
            if not nested and not steps.unreadable():
                guard.set(self, bool(mode))
            return out

        cls.train = train

    def set(self, module, mode):
        for listener in [self.mode_set] + self.listeners:
            try:
                listener(module, mode)
            except Exception as e:
                self.live.report("train and eval", e)

    def mode_set(self, module, mode):
        root = self.root(module)
        root.training = mode
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

    def awake_before(self, module):
        """It, or a model that it is a part of, was set to train once."""
        return any(r.woke and (r.ref() is module or r.holds(module)) for r in list(self.roots.values()) if r.ref() is not None)

    def trains(self):
        return any(r.woke for r in self.roots.values())

    def stepped(self, optimizer, ledger, scaled):
        for root in list(self.roots.values()):
            if root.asleep() and root.trained_by(optimizer) and not self.is_part(root.ref()):
                self.asleep_at(root, max(self.live.step, 1))
                return

    def asleep_at(self, root, step):
        woke = self.awake_before(root.ref())
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
        self.parts = None
        self.changes = None

    def holds(self, module):
        """Whether the other one is a part of it, as it was when first asked."""
        if self.parts is None:
            whole = self.ref()
            self.parts = weakref.WeakSet(whole.modules()) if whole is not None else ()
        return module in self.parts

    def asleep(self):
        module = None if self.training else self.ref()
        return module is not None and not module.training

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


def changes_with_mode(root):
    """Whether evaluation mode changes what it computes."""
    for m in root.modules():
        name = type(m).__name__
        if ("Dropout" in name and getattr(m, "p", 0) > 0) or "BatchNorm" in name:
            return True
        if isinstance(getattr(m, "dropout", None), float) and m.dropout > 0:
            return True
    return False
