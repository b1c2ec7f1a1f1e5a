"""The models of a process, and what a few values of each tensor were at earlier
moments: before the first step, when an evaluation began, when a state was taken.
By these a file that holds what the model was is told from one of what it is."""

import functools
import time
import weakref

from trainvet import frozen, steps, weights

FIRST = 4  # moments that are kept whatever they cost
SHARE = 0.01  # of the time of the run, afterwards
MAX_MOMENTS = 24
MAX_HANDED = 64


class Guard:
    """Modes is the guard that sees train and eval."""

    def __init__(self, live, stepping, modes):
        self.live, self.stepping, self.modes = live, stepping, modes
        self.began, self.spent = time.monotonic(), 0.0
        self.known = {}  # by id: weakrefs of modules whose state was asked for
        self.kept = {}  # by id of a root: its Moments
        self.handed = []  # (weakref of a state, weakref of its module)
        self.scanned = False
        stepping.beginning.append(self.begins)
        modes.listeners.append(self.mode_set)

    def actions(self):
        return {"torch.nn.modules.module": self.state_dicts}

    def state_dicts(self, module):
        cls, guard = module.Module, self
        original = cls.state_dict

        @functools.wraps(original)
        def state_dict(self, *args, **kwargs):
            out = original(self, *args, **kwargs)
            if not args and kwargs.get("destination") is None:
                try:
                    guard.taken(self, out)
                except Exception as e:
                    guard.live.report("state_dict", e)
            return out

        cls.state_dict = state_dict

    def taken(self, module, state):
        if steps.unreadable():
            return
        if id(module) not in self.known or self.known[id(module)]() is not module:
            if len(self.known) >= 256:
                self.known = {k: r for k, r in self.known.items() if r() is not None}
            self.known[id(module)] = weakref.ref(module)
        self.handed = self.handed[1 - MAX_HANDED :]
        try:
            self.handed.append((weakref.ref(state), weakref.ref(module)))
        except TypeError:  # a plain dictionary of a class of its own
            pass
        self.moment(module)

    def mode_set(self, module, training):
        if not training and self.live.step > 0:
            self.moment(module)

    def begins(self, optimizer):
        """Before its first step: what the model is then, is its beginning."""
        if steps.unreadable():
            return
        for root in self.roots():
            if trained(root, optimizer):
                self.moments(root).keep(0, 0)

    def roots(self):
        """The modules that are seen, each that is no part of another one."""
        refs = [r.ref for r in list(self.modes.roots.values())] + list(self.known.values())
        found = {}
        for ref in refs:
            module = ref()
            if module is not None:
                found[id(module)] = module
        parts = {id(m) for root in found.values() for m in root.modules() if m is not root}
        return [m for k, m in found.items() if k not in parts]

    def trained(self):
        """The roots that optimizers train."""
        optimizers = [o for o in (l.optimizer() for l in list(self.stepping.ledgers.values()) if l.attempted) if o is not None]
        found = [m for m in self.roots() if any(trained(m, o) for o in optimizers)]
        if not found and optimizers and not self.scanned:
            self.scanned = True
            self.scan({id(p) for o in optimizers for g in o.param_groups for p in g["params"]})
            return self.trained()
        return found

    def scan(self, held):
        """A model of which no state was ever asked, nor its mode set."""
        for m in frozen.everywhere(self.live.modules, held):
            self.known[id(m)] = weakref.ref(m)

    def clock(self):
        """Steps of all optimizers: of two moments the later one has more."""
        return sum(l.attempted for l in list(self.stepping.ledgers.values()))

    def origin(self, table):
        """The module whose state a table is, as it was given out or with less."""
        for state, module in self.handed:
            if state() is table and module() is not None:
                return module()
        return None

    def moments(self, root):
        kept = self.kept.get(id(root))
        if kept is None or kept.root() is not root:
            kept = self.kept[id(root)] = Moments(root)
        return kept

    def moment(self, module):
        """What the models hold that it is a part of, or that are in it."""
        clock = self.clock()
        if not clock:
            return
        for k, kept in list(self.kept.items()):
            root = kept.root()
            if root is None:
                del self.kept[k]
            elif clock not in kept.at and (root is module or related(root, module)) and self.may(kept):
                start = time.monotonic()
                kept.keep(clock, self.live.step)
                self.spent += time.monotonic() - start

    def may(self, kept):
        return len(kept.at) <= FIRST or self.spent <= SHARE * (time.monotonic() - self.began)

    def forked(self):
        self.kept, self.handed = {}, []


class Moments:
    """A few values of each tensor of a model, by clock: (step, values by name)."""

    def __init__(self, root):
        self.root = weakref.ref(root)
        self.at = {}

    def keep(self, clock, step):
        root = self.root()
        held = weights.entries(root) if root is not None else None
        if held is None or clock in self.at:
            return
        if len(self.at) >= MAX_MOMENTS:  # the beginning stays, of the rest every second one
            later = sorted(self.at)[1:]
            for c in later[:-1:2]:
                del self.at[c]
        self.at[clock] = (step, dict(zip([e.name for e in held], weights.sample([e.tensor for e in held]))))


def trained(root, optimizer):
    """Whether an optimizer moves parameters of it: one is enough to know."""
    own = {id(p) for p in root.parameters()}
    return any(id(p) in own for g in optimizer.param_groups for p in g["params"])


def related(root, module):
    return any(m is module for m in root.modules()) or any(m is root for m in module.modules())
