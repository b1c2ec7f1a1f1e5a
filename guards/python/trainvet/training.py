"""What a training loop does to its gradients: a loss that reaches nothing the
optimizer holds, gradients used twice, gradients that are gone at the step.

The gradient graph of a loss is walked in the first steps only; version counters
say for free whether a gradient was cleared. No value of a tensor subclass that
is not known is read, none on a device in a step that is not looked at anyway."""

import collections
import functools
import sys

from trainvet import backtrace, events, marks, steps
from trainvet.gate import LOOKED_AT, compiling, plain, unreadable

GRAPH_STEPS = 2  # applied steps of an optimizer until which the graph is walked
MAX_WALKS = 64  # of a trainer that makes its steps without an optimizer
MAX_NODES = 200000
STALE_IN_A_ROW = 3
STAYS = 6  # of the steps: 64 in a row for which one parameter stands
LAST = 20  # losses that are kept


class Guard:
    # What each step asks for stands first, and side by side.
    __slots__ = (
        "backwards", "oldest", "begun", "marked", "walks", "watchers", "after", "only", "loss", "losses", "bad_since", "count", "live", "stepping", "trace",
        "marks", "stale", "hidden", "first_nonfinite", "leaves", "gradients", "leaves_them", "places", "idle", "zero", "trains", "odd", "unused", "unseen",
    )

    def __init__(self, live, stepping):
        self.live = live
        self.stepping = stepping
        self.count = live.count("finite", 0, ("loss", "gradient", "output", "buffer", "nonfinite"), each="loss")
        self.marks = {}  # by optimizer id: marks.Mark, of the parameters that stand for all of its own
        self.marked = ()  # those whose gradient a backward may find again
        self.only = None  # the one mark that there is, where each step of the one optimizer has another gradient
        self.stale = {}  # by optimizer id: (first step, how many in a row)
        self.hidden = 0  # gradients that were cleared behind their version counter
        self.first_nonfinite = None  # step of the first loss that was not finite
        self.bad_since = None  # the step from which on no loss was finite
        self.leaves = None  # parameters that the last walked loss reaches
        self.walks = self.backwards = 0
        self.oldest = 0  # calls of backward until the step of the optimizer that made none for longest
        self.gradients = {}  # by optimizer id: whether there was one before the step
        self.leaves_them = set()  # ids of optimizers whose last step left its gradients where they were
        self.places = {}  # by optimizer id: where in its list the parameters lie that stand for all
        self.idle = {}  # by optimizer id: its Idle
        self.zero = {}  # by optimizer id: steps in a row whose gradients are all 0, until one is not
        self.loss = 0.0  # the last one that was read
        self.losses = collections.deque(maxlen=LAST)
        self.trace = backtrace.Trace(live)
        self.trains = lambda: False  # whether a model was ever set to train
        self.begun = events.Event()  # told of what each backward begins with
        self.watchers = events.Event()  # told of each loss before backward
        self.odd = events.Event()  # told of each that was read and is 0 or not finite
        self.after = events.Event()  # told after each backward
        self.unused = events.Event()  # after each that is not the first one since the last step of an optimizer
        self.unseen = events.Event()  # told of steps before which no backward was called, as the steps' listeners are
        stepping.beginning.append(self.stepping_now)
        stepping.listeners.append(self.stepped)
        live.after.append(self.summary)

    def actions(self):
        return dict(self.trace.actions(), **{"torch.autograd": self.backward})

    # backward

    def backward(self, module):
        original, guard = module.backward, self

        @functools.wraps(original)
        def backward(tensors, *args, **kwargs):
            guard.before_backward(tensors)
            if not guard.trace.on:
                out = original(tensors, *args, **kwargs)
            else:
                guard.quietly("backward trace", guard.trace.before, tensors)
                out = original(tensors, *args, **kwargs)
                guard.quietly("backward trace", guard.trace.after)
            if guard.marked or guard.after.told or guard.backwards - guard.oldest > 1:
                guard.after_backward()
            return out

        module.backward = backward

    def before_backward(self, tensors):
        try:
            self.backwards += 1
            if self.begun.told:
                self.tell(self.begun, tensors)
            if unreadable():
                return
            if self.marked:
                self.freshness()
            loss = tensors if not isinstance(tensors, (list, tuple)) else tensors[0] if tensors else None
            if plain(loss):
                if self.walks < MAX_WALKS and self.beginning():
                    self.walks += 1
                    self.leaves = reached(loss)
                if loss.is_cpu:
                    self.finite_loss(loss)
                elif self.live.step < LOOKED_AT or self.live.budget.allows():
                    with self.live.budget:
                        self.finite_loss(loss)
                if self.watchers.told:
                    self.tell(self.watchers, loss)
        except Exception as e:
            self.live.report("backward", e)

    def beginning(self):
        """Whether no optimizer is beyond its first steps; they do not come again."""
        if max((l.applied for l in self.stepping.ledgers.values()), default=0) <= GRAPH_STEPS:
            return True
        self.walks = MAX_WALKS
        return False

    def finite_loss(self, loss):
        value = loss.item() if loss.numel() == 1 else None
        if type(value) is not float:
            return
        self.loss = value
        self.losses.append(value)
        count = self.count
        count.calls += 1
        if count.calls >= count.next:
            count.write()
        if value and value - value == 0:
            self.bad_since = None
            return
        if value:
            self.nonfinite(value)
        else:
            self.bad_since = None
        self.tell(self.odd, loss)

    def nonfinite(self, value):
        self.count.tally["nonfinite"] += 1
        at = self.next_step()
        self.first_nonfinite = self.first_nonfinite or at
        self.bad_since = self.bad_since or at
        self.live.finding("nonfinite-loss", "note", "the loss is %r before backward" % value, since=at, until=at, once="loss")

    def next_step(self):
        return max(self.live.step, 0) + 1

    def tell(self, event, *args):
        """One that errs steps aside."""
        for told in event.told:
            try:
                told(*args)
            except Exception as e:
                event.leave(told)
                self.live.report("backward, " + told.__module__.rpartition(".")[2], e)

    # A gradient that a step has used, that nobody cleared, and that the next step
    # of the same optimizer uses again with more added. What was cleared is
    # another tensor, or one of a later version when the next backward begins;
    # the loss of another model may pass through before that and is no fault.
    # Where each step has another tensor, behind the first steps, no backward looks.

    def freshness(self):
        for m in self.marked:
            gradient = m.gradient() if m.gradient is not None else None
            if gradient is None or not m.stands(gradient) or (not m.added and self.zeroed(gradient)):
                m.cleared = True

    def zeroed(self, gradient):
        """Whether it was cleared by its .data, which has a counter of its own."""
        if self.hidden >= LOOKED_AT and not gradient.is_cpu:
            return True
        zero = not bool(gradient.any())
        self.hidden += zero
        return zero

    def after_backward(self):
        try:
            for m in self.marked:
                if m.gradient is not None and not m.cleared:
                    m.look()
            if not compiling():
                self.tell(self.after)
                if self.backwards - self.oldest > 1:
                    self.tell(self.unused)
        except Exception as e:
            self.live.report("backward", e)

    def used_twice(self, optimizer):
        at = max(self.live.step, 1)
        first, n = self.stale.get(optimizer, (at, 0))
        self.stale[optimizer] = (first, n + 1)
        if n == 0:
            self.live.finding("gradient-not-cleared", "note", "step %d uses gradients that the step before it has used already, with more added" % at, since=at, until=at, once="note")
        if n + 1 == STALE_IN_A_ROW:
            self.live.finding("gradient-used-twice", "degrade", "since step %d each step uses the gradients of those before it again: nothing clears them between" % first,
                              since=first, once=optimizer)

    # steps

    def stepping_now(self, optimizer):
        """Some optimizers clear the gradients themselves, a closure makes them: of
        those that left none the last time it is asked before they make a step."""
        if id(optimizer) not in self.leaves_them:
            self.gradients[id(optimizer)] = has_gradient(optimizer)
        elif all(key in self.leaves_them for key in self.marks):
            self.stepping.before.leave(self.stepping_now)

    def stepped(self, optimizer, ledger, scaled):
        """Nearly all steps are as the one before: one look says so."""
        only = self.only
        if only is not None and not ledger.due and ledger.backwards != self.backwards and only.anew():
            ledger.backwards = self.oldest = self.backwards
        else:
            self.judge(optimizer, ledger, scaled)

    def judge(self, optimizer, ledger, scaled):
        key, backwards = id(optimizer), self.backwards
        if ledger.backwards != backwards:
            ledger.backwards = self.oldest = backwards
            if len(self.marks) > 1:
                self.oldest = min(l.backwards for l in self.stepping.ledgers.values() if l.optimizer() is not None)
        else:
            self.tell(self.unseen, optimizer, ledger, scaled)
        marks, again = self.marks.get(key), False
        if marks is None or ledger.due:
            marks = self.look(optimizer, ledger)
        for m in marks:
            used = m.used()
            if used is None:  # it has no gradient: others stand for all
                marks = self.look(optimizer, ledger)
                again = any([m.used() for m in marks]) or again
                break
            again = again or used
            if m.kept and m not in self.marked:
                self.marked += (m,)
        if again:
            self.used_twice(key)
        elif key in self.stale:
            del self.stale[key]
        self.only = marks[0] if len(marks) == len(self.marks) == 1 and marks[0].gradient and not self.marked and not self.stale else None
        if not marks:
            self.without_gradient(optimizer, ledger)

    def look(self, optimizer, ledger):
        """The parameters that stand for all, chosen anew where that is due."""
        key, params = id(optimizer), ledger.held()
        shown = self.shown(params, key, ledger.attempted)
        known = {id(m.parameter()): m for m in self.marks.get(key, ())}
        chosen = [known.get(id(p)) or marks.Mark(p) for p in shown]
        self.marks = {k: held for k, held in self.marks.items() if k in self.stepping.ledgers and self.stepping.ledgers[k].optimizer() is not None}
        self.marks[key] = chosen
        close = ledger.attempted < ledger.close
        self.marked = tuple(m for k, held in self.marks.items() for m in held if m.kept or (close and k == key) or (k != key and m in self.marked))
        if shown:
            self.leaves_them.add(key)
            self.idle[key] = None  # it works
            if self.zero.get(key, 0) is not None:
                self.all_zero(optimizer, ledger, params)
        return chosen

    def without_gradient(self, optimizer, ledger):
        """None of its parameters has one after the step."""
        key = id(optimizer)
        before = self.gradients.pop(key, key in self.leaves_them)
        self.leaves_them.discard(key)
        self.stepping.before.append(self.stepping_now)
        self.reach(optimizer, ledger, ledger.held(), before)

    def shown(self, params, optimizer, step):
        """The first, the middle and the last parameter that has a gradient, which
        stand for all, and later one of them; the same as long as they have one."""
        places = self.places.get(optimizer, ())
        if step > LOOKED_AT and places:
            places = (places[(step >> STAYS) % len(places)],)
        shown = [params[i] for i in places if i < len(params)]
        if not shown or any(p.grad is None for p in shown):
            places = [i for i, p in enumerate(params) if p.grad is not None]
            places = self.places[optimizer] = sorted({places[0], places[len(places) // 2], places[-1]}) if places else ()
            shown = [params[i] for i in places]
        return shown

    def all_zero(self, optimizer, ledger, params):
        """In the first steps: gradients that are there and are 0, every one of
        them, though the loss is not. A loss of 0 has none: a part that is
        switched on later, a margin that is kept."""
        key = id(optimizer)
        n = self.zero.setdefault(key, 0)
        if n is None or not self.loss or steps.unreadable():
            return
        gradients = [p.grad for p in params if p.grad is not None]
        if not all(plain(g) and not bool(g.any()) for g in gradients):
            self.zero[key] = None
            return
        self.zero[key] = n + 1
        if n + 1 == STALE_IN_A_ROW:
            self.zero[key] = None
            at = max(self.live.step, 1)
            self.live.finding("optimizer-stale", "degrade", "the gradients of all %d parameters of %s are 0 at each step, and the loss is not: its steps change nothing" % (len(gradients), ledger.name),
                              since=at - n, name=ledger.name, once=key)

    def reach(self, optimizer, ledger, params, with_gradient):
        """An optimizer none of whose parameters gets a gradient, while others do."""
        key = id(optimizer)
        if with_gradient or not any(p.requires_grad for p in params):
            self.idle[key] = None  # it has worked once, or has nothing to move
            return
        idle = self.idle.get(key)
        if idle is None:
            idle = self.idle[key] = Idle(ledger, len(params), max(self.live.step, 1), always=key not in self.idle)
        if not idle.step(self.backwards):
            return  # nothing was computed since: the steps of a schedule that is wound forward
        if idle.n in (1, STALE_IN_A_ROW):
            self.missing(optimizer, idle, {id(p) for p in params})

    def missing(self, optimizer, idle, held):
        """Once a loss that misses them is known, else in the third step."""
        if self.leaves is None:
            return
        text = "none of the %d parameters of %s has a gradient: its steps change nothing" % (idle.params, idle.ledger.name)
        reached_own = any(id(p) in held for p in self.leaves)
        others = [p for p in self.leaves if id(p) not in held and not any(id(p) in holds for holds in self.holdings(optimizer))]
        code = "optimizer-stale"
        if reached_own:
            if idle.n < STALE_IN_A_ROW:
                return
            text += "; the loss reaches them: their gradients are cleared between backward and step"
        elif others and is_parameters(others):
            text += "; %d parameters that the loss reaches are in no optimizer (the first of shape %s)" % (len(others), shape(others[0]))
        elif not is_parameters(self.leaves):
            code = "loss-detached"
            text += "; the loss reaches no parameter at all: it was made anew from a number, or detached"
        else:
            return  # another optimizer's turn: it counts if this one never gets its own
        idle.said = True
        self.live.finding(code, "degrade", text, since=idle.since, name=idle.ledger.name, once=id(optimizer))

    def summary(self):
        for key, idle in self.idle.items():
            if idle is None or idle.said or not idle.always:
                continue
            text = "none of the %d parameters of %s ever had a gradient: its steps changed nothing" % (idle.params, idle.ledger.name)
            if idle.n >= STALE_IN_A_ROW:
                self.live.finding("optimizer-stale", "degrade", text, since=idle.since, name=idle.ledger.name, once=key)
            elif not self.backwards and idle.asked >= STALE_IN_A_ROW:  # a schedule is drawn, or backward was forgotten
                self.live.finding("optimizer-stale", "degrade" if self.trains() else "note", text + "; no backward was called", since=idle.since, name=idle.ledger.name, once=key)

    def holdings(self, but):
        for ledger in self.stepping.ledgers.values():
            optimizer = ledger.optimizer()
            if optimizer is not None and optimizer is not but:
                yield {id(p) for g in optimizer.param_groups for p in g["params"]}

    def quietly(self, what, do, *args):
        try:
            do(*args)
        except Exception as e:
            self.live.report(what, e)


class Idle:
    """Steps in a row of an optimizer that had no gradient."""

    def __init__(self, ledger, params, since, always):
        self.ledger, self.params, self.since = ledger, params, since
        self.always = always  # it never had one
        self.n = self.asked = 0  # n: those with a backward before them
        self.backwards = 0
        self.said = False

    def step(self, backwards):
        self.asked += 1
        if backwards == self.backwards:
            return False
        if self.n == 0:
            self.since += self.asked - 1
        self.backwards = backwards
        self.n += 1
        return True


def has_gradient(optimizer):
    return any(p.grad is not None for g in optimizer.param_groups for p in g["params"])


def reached(loss):
    """The leaves that backward from a loss gives gradients to; none where it is a leaf
    itself, whatever it is wrapped in."""
    if loss.grad_fn is None:
        return []
    seen, work, leaves = {loss.grad_fn}, [loss.grad_fn], []
    while work and len(seen) < MAX_NODES:
        node = work.pop()
        leaf = getattr(node, "variable", None)
        if leaf is not None:
            leaves.append(leaf)
        for inner, _ in node.next_functions:
            if inner is not None and inner not in seen:
                seen.add(inner)
                work.append(inner)
    return leaves


def is_parameters(leaves):
    torch = sys.modules["torch"]
    return any(isinstance(p, torch.nn.Parameter) for p in leaves)


def shape(t):
    return "x".join(str(n) for n in t.shape) or "scalar"
