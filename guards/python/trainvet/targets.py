"""How much of what a loss was computed from has a label: the cross entropies in the
graph of the loss say which targets they were given and which they left out, whoever
masked them and with whatever number. Where there is none (a loss of its own kind, a
compiled one), the labels of the batch are looked at, as the loader gave them.

Guard.facts() gives the share for the line of the first step, in words: what counts of
the targets of the first loss, and where that was seen. Guard.first has the numbers.

Where a mask is multiplied in, no target says so. The loss is exactly 0 then, at each of
the steps, and so is every gradient: a margin that is kept has begun with another number,
and a part that is switched on later, a reward that comes, end with one.

A short batch may have none. What counts is that the first ones have none, or many
in a row later."""

import sys

from trainvet import gate

AT_FIRST = 3  # losses in a row, from the first on
LATER = 8
NODES = 24  # of the graph, from the loss down
IGNORED = -100  # what torch's losses leave out where nothing else is asked for
NAMES = ("labels", "label", "targets", "target", "decoder_labels", "y")
LOSSES = ("loss", "train*loss")


class Guard:
    def __init__(self, live, training, data):
        self.live, self.training = live, training
        self.first, self.source = None, ""
        self.without = 0  # losses in a row without a target
        self.looks = self.supervised = 0
        self.since = None
        self.entropies = False  # a cross entropy was seen in the graph of a loss
        self.said = False
        self.zeros, self.place = 0, None  # losses that are 0, from the first one on, and gave gradients of 0
        training.watchers.append(self.loss)
        training.after.append(self.after_backward)
        live.after.append(self.summary)
        data.batches_seen.append(self.batch)

    def facts(self):
        if self.first is None:
            return {}
        supervised, of = self.first
        return {"supervised": "%d of %d targets of %s (%.3g %%)" % (supervised, of, self.source, 100.0 * supervised / max(of, 1))}

    # by the graph of the loss

    def loss(self, loss):
        """Before each backward: at first, and whenever the loss is 0 or no number."""
        if self.live.step >= gate.LOOKED_AT:
            self.training.watchers.leave(self.loss)
            self.training.odd.append(self.loss)
        if self.said or not (self.live.step < gate.LOOKED_AT or self.odd()):
            return
        if loss.is_cpu or self.live.step < gate.LOOKED_AT or self.live.budget.allows():
            with self.live.budget:
                found, others = entropies(loss)
                if found:
                    self.entropies = True
                    self.count(*counted(found), alone=not others, source="the loss")

    def odd(self):
        value = self.training.loss
        return value == 0 or value != value

    # by a loss of 0

    def after_backward(self):
        """What the first ones show a training without a reward shows as well, until it
        has one: it has to stay so."""
        if self.training.loss != 0 or self.said or (self.zeros < LATER and not self.all_zero()):
            self.zeros = 0
            self.training.after.leave(self.after_backward)
            return
        self.zeros += 1
        if self.zeros == LATER:
            self.place = self.live.out.place()
            self.live.finding("no-targets", "note", "the loss is exactly 0 and so is every gradient, %d times in a row since step 1: a mask leaves out every target" % LATER, since=1, once="zero")

    def all_zero(self):
        """Of the parameters that the loss reaches; there are some."""
        gradients = [p.grad for p in self.training.leaves or () if p.grad is not None]
        with self.live.budget:
            return bool(gradients) and all(gate.plain(g) and not bool(g.any()) for g in gradients)

    def summary(self):
        if self.zeros >= LATER:
            self.live.finding("no-targets", "degrade", "each of %d losses is exactly 0, and so is every gradient: a mask leaves out every target, nothing is learned" % self.zeros,
                              since=1, once="zeros", place=self.place)
            self.empty(1, self.place)

    # by the batch

    def batch(self, loader, batch):
        """Seldom, on the host alone: once for each power of two of batches."""
        if self.entropies or self.said or not loader.trains():
            return
        labels = labels_of(batch)
        if labels is not None:
            n = labels.numel()
            self.count(n - int((labels == IGNORED).sum()), n, alone=True, source="the batch")

    def count(self, supervised, of, alone, source):
        self.looks += 1
        if self.first is None:
            self.first, self.source = (supervised, of), source
        if supervised:
            self.supervised += 1
            self.without, self.since = 0, None
            return
        if self.since is None:
            self.since = max(self.live.step, 0) + 1
        self.without += 1
        if self.without >= (LATER if self.supervised else AT_FIRST):
            self.say(of, alone, source)

    def say(self, of, alone, source):
        self.said = True
        text = "not one of the %d targets of %s counts, %d times in a row since step %d: all of them are masked, nothing is learned from them" % (of, source, self.without, self.since)
        if not alone:
            self.live.finding("no-targets", "note", text + "; the loss has other parts", since=self.since)
            return
        self.live.finding("no-targets", "degrade", text, since=self.since)
        self.empty(self.since)

    def empty(self, since, place=None):
        for name in LOSSES:
            self.live.finding("empty-loss", "poison", "the loss is computed from no target since step %d: it is no measurement" % since, since=since, metric=name, place=place)


def entropies(loss):
    """The cross entropies near the top of the graph, and whether the loss has
    parts that are none."""
    found, others, work, seen = [], False, [loss.grad_fn], 0
    while work and seen < NODES:
        node = work.pop()
        if node is None:
            continue
        seen += 1
        if hasattr(node, "_saved_ignore_index"):
            found.append(node)
            continue
        inner = [n for n, _ in node.next_functions if n is not None]
        if not inner or not ARITHMETIC.get(type(node).__name__.rstrip("0123456789"), False):
            others = True
            continue
        work += inner
    return found, others


# What may stand between a loss and its cross entropies: sums, means, weights.
ARITHMETIC = dict.fromkeys(("AddBackward", "SubBackward", "MulBackward", "DivBackward", "MeanBackward", "SumBackward", "NegBackward", "ViewBackward", "UnsafeViewBackward", "ReshapeAliasBackward", "ToCopyBackward", "StackBackward", "CatBackward", "UnsqueezeBackward", "SqueezeBackward", "SelectBackward", "IndexBackward", "WhereBackward", "MaskedFillBackward", "CloneBackward", "AliasBackward", "UnbindBackward"), True)


def counted(nodes):
    supervised = of = 0
    for node in nodes:
        target = node._saved_target
        if not gate.plain(target):
            supervised += 1
            continue
        ignored = node._saved_ignore_index
        ignored -= 1 << 64 if ignored >= 1 << 63 else 0
        supervised += int((target != ignored).sum())
        of += target.numel()
    return supervised, of


def labels_of(batch):
    """The integers of a batch that are labels: by name, or because nothing else
    holds the number that losses leave out."""
    torch = sys.modules["torch"]
    if isinstance(batch, dict) or hasattr(batch, "keys"):
        parts = [batch[k] for k in NAMES if k in batch]
    elif isinstance(batch, (list, tuple)):
        parts = [t for t in batch[1:] if isinstance(t, torch.Tensor) and t.ndim > 0]
    else:
        return None
    for t in parts:
        if isinstance(t, torch.Tensor) and gate.plain(t) and t.is_cpu and t.numel() and t.dtype in (torch.int64, torch.int32, torch.int16):
            if bool((t == IGNORED).any()):
                return t
    return None
