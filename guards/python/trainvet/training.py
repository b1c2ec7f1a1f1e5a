"""What a training loop does to its model: gradients that reach nothing the
optimizer holds, gradients used twice, steps made while the model is in
evaluation mode, values that are not finite.

The gradient graph of a loss is walked in the first steps only; version counters
say for free whether a gradient was cleared. No value of a tensor subclass that
is not known is read, none on a device in a step that is not looked at anyway."""

import functools
import sys
import time
import weakref

from trainvet import steps

LOOKED_AT = 10  # first steps in which values are read whatever it costs
SHARE = 0.01  # of the time of the run, afterwards
GRAPH_STEPS = (0, 1, 2)  # applied steps in which the graph is walked
MAX_NODES = 200000
STALE_IN_A_ROW = 3


class Guard:
    def __init__(self, live, stepping):
        self.live = live
        self.stepping = stepping
        self.began = time.monotonic()
        self.spent = 0.0
        self.losses = live.count("finite", 0, ("loss", "gradient", "output", "buffer", "nonfinite"))
        self.used = {}  # by parameter id: its gradient at the last step of its optimizer
        self.stale = {}  # by optimizer id: (first step, how many in a row)
        self.first_nonfinite = None  # step of the first loss that was not finite
        self.leaves = None  # parameters that the last walked loss reaches
        self.roots = {}  # modules whose mode was set, by id
        self.eval_steps = 0
        self.eval_since = None
        self.compiled = False  # torch.compile was called
        self.watched = {}  # modules in evaluation whose outputs are looked at
        self.frozen = {}  # optimizer id -> applied steps without a gradient
        stepping.listeners.append(self.stepped)
        live.after.append(self.summary)

    def actions(self):
        return {"torch.autograd": self.backward, "torch.nn.modules.module": self.modes, "torch": self.compilers}

    def compilers(self, module):
        """From the first call of torch.compile on no hook is put on a module."""
        for owner, name in ((module, "compile"), (module.nn.Module, "compile")):
            original = getattr(owner, name, None)
            if original is not None:
                setattr(owner, name, self.noticing(original))

    def noticing(self, original):
        guard = self

        @functools.wraps(original)
        def compile(*args, **kwargs):
            guard.quietly("torch.compile", guard.leave_modules)
            return original(*args, **kwargs)

        return compile

    def leave_modules(self):
        self.compiled = True
        for ref, handle in self.watched.values():
            handle.remove()
        self.watched = {}

    # backward

    def backward(self, module):
        original, guard = module.backward, self

        @functools.wraps(original)
        def backward(tensors, *args, **kwargs):
            guard.quietly("backward", lambda: guard.before_backward(tensors))
            out = original(tensors, *args, **kwargs)
            guard.quietly("backward", guard.after_backward)
            return out

        module.backward = backward

    def before_backward(self, tensors):
        if steps.compiling():
            return
        loss = tensors if not isinstance(tensors, (list, tuple)) else (tensors[0] if tensors else None)
        if loss is None or not plain(loss):
            return
        self.freshness()
        applied = max((l.applied for l in self.stepping.ledgers.values()), default=0)
        if applied in GRAPH_STEPS:
            self.leaves = reached(loss)
        if self.may_look(loss):
            start = time.monotonic()
            self.finite_loss(loss)
            self.spent += time.monotonic() - start

    def may_look(self, tensor):
        if self.live.step < LOOKED_AT or tensor.device.type == "cpu":
            return True
        return self.spent <= SHARE * (time.monotonic() - self.began)

    def finite_loss(self, loss):
        if loss.numel() != 1 or not (loss.is_floating_point()):
            return
        value = float(loss.detach())
        self.losses.tally["loss"] += 1
        self.losses.ran(1)
        if value != value or value in (float("inf"), float("-inf")):
            self.losses.tally["nonfinite"] += 1
            if self.first_nonfinite is None:
                self.first_nonfinite = self.next_step()
            self.live.finding("nonfinite-loss", "note", "the loss is %r before backward" % value, since=self.next_step(), until=self.next_step(), once="loss")

    def next_step(self):
        return max(self.live.step, 0) + 1

    # A gradient that a step has used, that nobody cleared, and that the next step
    # of the same optimizer uses again with more added. What was cleared is
    # another tensor, or one of a later version when the next backward begins;
    # the loss of another model may pass through before that and is no fault.

    def freshness(self):
        for key, u in list(self.used.items()):
            if u.parameter.grad is not u.gradient or u.gradient._version != u.version:
                del self.used[key]

    def after_backward(self):
        for u in self.used.values():
            if u.gradient._version != u.version:
                u.added, u.version = True, u.gradient._version

    def remember(self, params, optimizer):
        """At a step: what it used again, and what it leaves."""
        again = False
        for p in params[:1] + params[len(params) // 2 : len(params) // 2 + 1] + params[-1:]:
            u = self.used.get(id(p))
            again = again or (u is not None and u.added and u.gradient is p.grad)
            if plain(p.grad):
                self.used[id(p)] = Used(p)
        if again:
            self.used_twice(optimizer)
        else:
            self.stale.pop(optimizer, None)

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

    def stepped(self, optimizer, ledger, scaled):
        params = [p for g in optimizer.param_groups for p in g["params"]]
        self.modes_at_step(optimizer)
        with_gradient = [p for p in params if p.grad is not None]
        self.remember(with_gradient, id(optimizer))
        self.reach(optimizer, ledger, params, with_gradient)

    def reach(self, optimizer, ledger, params, with_gradient):
        """An optimizer none of whose parameters gets a gradient, while others do."""
        key = id(optimizer)
        if with_gradient or not any(p.requires_grad for p in params):
            self.frozen.pop(key, None)
            return
        n = self.frozen[key] = self.frozen.get(key, 0) + 1
        if n != 1 and n != 3:
            return
        at = max(self.live.step, 1)
        held = {id(p) for p in params}
        others = [p for p in (self.leaves or ()) if id(p) not in held and not any(id(p) in holds for holds in self.holdings(optimizer))]
        if n == 3 or (self.leaves is not None and not any(id(p) in held for p in self.leaves)):
            text = "none of the %d parameters of %s has a gradient: its steps change nothing" % (len(params), ledger.name)
            if others and is_parameters(others):
                text += "; %d parameters that the loss reaches are in no optimizer (the first of shape %s)" % (len(others), shape(others[0]))
                self.live.finding("optimizer-stale", "degrade", text, since=at, name=ledger.name, once=key)
            elif self.leaves is not None and not is_parameters(self.leaves):
                text += "; the loss reaches no parameter at all: it was made anew from a number, or detached"
                self.live.finding("loss-detached", "degrade", text, since=at, name=ledger.name, once=key)
            elif n == 3:
                self.live.finding("optimizer-stale", "degrade", text, since=at - 2, name=ledger.name, once=key)

    def holdings(self, but):
        for ledger in self.stepping.ledgers.values():
            optimizer = ledger.optimizer()
            if optimizer is not None and optimizer is not but:
                yield {id(p) for g in optimizer.param_groups for p in g["params"]}

    # modes

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
            if not nested and not steps.compiling():
                guard.quietly("train and eval", lambda: guard.mode_set(self, mode))
            return out

        cls.train = train

    def mode_set(self, root, mode):
        kept = self.roots.get(id(root))
        if kept is None or kept.ref() is not root:
            kept = self.roots[id(root)] = Root(root)
        kept.mode(mode)
        if mode:
            self.unwatch(root)
        else:
            self.check_state(root)
            self.watch(root)

    def modes_at_step(self, optimizer):
        for root in list(self.roots.values()):
            if root.asleep() and root.trained_by(optimizer):
                self.eval_steps += 1
                if self.eval_since is None:
                    self.asleep_at(root, max(self.live.step, 1))
                return

    def asleep_at(self, root, step):
        self.eval_since = step
        # A model that was never set to train may be meant so.
        effect = "degrade" if root.woke else "note"
        self.live.finding("trained-in-eval-mode", effect, "step %d is made while %s is in evaluation mode: its dropout and batch norm do not train" % (step, root.name),
                          since=step, name=root.name, once="eval")

    # finiteness of what an evaluation rests on

    def check_state(self, root):
        """At the start of an evaluation: one look at parameters and buffers."""
        torch = sys.modules["torch"]
        for kind, code, values in (("buffer", "nonfinite-buffer", root.named_buffers()), ("parameter", "nonfinite-parameter", root.named_parameters())):
            bad = []
            for name, t in values:
                if plain(t) and t.is_floating_point() and t.numel() and t.device.type != "meta":
                    self.losses.ran(1)
                    if not bool(torch.isfinite(t.detach()).all()):
                        bad.append(name)
            if bad:
                self.losses.tally["nonfinite"] += len(bad)
                text = "%d %ss hold NaN or infinity at the start of an evaluation: %s" % (len(bad), kind, ", ".join(bad[:4]))
                since = max(self.live.step, 0)
                if self.first_nonfinite is not None:
                    since = self.first_nonfinite
                    text += "; the loss was first not finite at step %d" % since
                self.live.finding(code, "poison", text, since=since, name=bad[0], once=(code, bad[0]))

    def watch(self, root):
        """Looks at the outputs of a model while it evaluates."""
        if id(root) in self.watched or self.compiled:
            return  # a hook would be one more thing for a compiler to look at
        state = [0, 0.0, time.monotonic()]

        def hook(module, args, output):
            if not steps.compiling():
                self.quietly("evaluation output", lambda: self.output(module, output, state))

        handle = root.register_forward_hook(hook)
        self.watched[id(root)] = (weakref.ref(root), handle)

    def unwatch(self, root):
        kept = self.watched.pop(id(root), None)
        if kept is not None and kept[0]() is root:
            kept[1].remove()

    def output(self, module, output, state):
        state[0] += 1
        start = time.monotonic()
        if state[0] > LOOKED_AT and state[1] > SHARE * (start - state[2]):
            return
        for t in tensors_of(output):
            if plain(t) and t.is_floating_point() and t.numel():
                self.losses.ran(t.numel())
                self.losses.tally["output"] += 1
                self.output_values(module, t.detach())
        state[1] += time.monotonic() - start

    def output_values(self, module, t):
        torch = sys.modules["torch"]
        finite = torch.isfinite(t)
        if bool(finite.all()):
            return
        # A mask of -inf on logits is healthy: NaN, or +inf, or rows without any finite number are not.
        bad = torch.isnan(t) | (t == float("inf"))
        if t.ndim >= 2 and not bool(bad.any()):
            bad = ~finite.reshape(-1, t.shape[-1]).any(dim=1)
        if bool(bad.any()):
            self.losses.tally["nonfinite"] += 1
            self.live.finding("nonfinite-output", "poison", "an evaluation output of %s holds NaN or infinity: argmax over it names class 0" % type(module).__name__,
                              since=max(self.live.step, 0), name=type(module).__name__, once=("output", self.live.step))

    def summary(self):
        if self.eval_steps > 1 and any(r.woke for r in self.roots.values()):
            attempted = max((l.attempted for l in self.stepping.ledgers.values()), default=0)
            self.live.finding("trained-in-eval-mode", "degrade", "%d of %d steps were made in evaluation mode" % (self.eval_steps, attempted),
                              since=self.eval_since, once="eval share")

    def quietly(self, what, do):
        try:
            do()
        except Exception as e:
            self.live.report(what, e)


class Used:
    """The gradient of a parameter as a step left it."""

    __slots__ = ("parameter", "gradient", "version", "added")

    def __init__(self, parameter):
        self.parameter, self.gradient = parameter, parameter.grad
        self.version, self.added = parameter.grad._version, False


class Root:
    """A module whose mode the trainer sets."""

    def __init__(self, module):
        self.ref = weakref.ref(module)
        self.name = type(module).__name__
        self.training = True
        self.woke = False  # it was set to train once
        self.optimizers = {}

    def mode(self, training):
        self.training = bool(training)
        self.woke = self.woke or self.training

    def asleep(self):
        module = None if self.training else self.ref()
        return module is not None and not module.training

    def trained_by(self, optimizer):
        """Whether half of what the optimizer moves is this module's."""
        key = id(optimizer)
        if key not in self.optimizers:
            module = self.ref()
            held = {id(p) for g in optimizer.param_groups for p in g["params"]}
            own = sum(id(p) in held for p in module.parameters())
            self.optimizers[key] = bool(held) and own * 2 >= len(held) and changes_with_mode(module)
        return self.optimizers[key]


def plain(t):
    """A tensor whose values are all here: no shard, no unknown subclass."""
    torch = sys.modules.get("torch")
    return torch is not None and type(t) in (torch.Tensor, torch.nn.Parameter) and t.layout == torch.strided


def reached(loss):
    """The leaves that backward from a loss gives gradients to."""
    if loss.grad_fn is None:
        return [loss] if loss.requires_grad else []
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


def changes_with_mode(root):
    """Whether evaluation mode changes what it computes."""
    for m in root.modules():
        name = type(m).__name__
        if ("Dropout" in name and getattr(m, "p", 0) > 0) or "BatchNorm" in name:
            return True
        if isinstance(getattr(m, "dropout", None), float) and m.dropout > 0:
            return True
    return False


def tensors_of(output):
    if isinstance(output, dict):
        output = list(output.values())
    if isinstance(output, (list, tuple)):
        return [t for part in output[:8] for t in tensors_of(part)][:16]
    return [output] if hasattr(output, "is_floating_point") else []
