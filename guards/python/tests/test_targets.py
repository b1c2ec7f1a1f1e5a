"""Losses without a target, splits that overlap and ranks that see one batch: on
stand-ins of what torch has."""

import sys
import types
import unittest
from unittest import mock

from trainvet import content, events, gate, overlap, targets


class Live:
    def __init__(self):
        self.step, self.found, self.budget, self.after = -1, [], gate.Budget(), []
        self.out = Of(place=lambda: None)

    def finding(self, code, effect, text, since=-1, metric="", **rest):
        self.found.append((code, effect, since, metric))


class Of:
    """Stands for a guard that others hang on."""

    def __init__(self, **kwargs):
        self.__dict__.update(kwargs)


def guard():
    live = Live()
    return live, targets.Guard(live, Of(watchers=[], after=events.Event(), loss=1.0, leaves=None), Of(batches_seen=[]))


class Masked(unittest.TestCase):
    """A mask that is multiplied in: no target says that it does not count."""

    def feed(self, *losses, gradient=False):
        live, g = guard()
        grad = Of(any=lambda: gradient)
        g.training.leaves = [Of(grad=grad), Of(grad=None)]
        with mock.patch.object(targets.gate, "plain", lambda t: True):
            for g.training.loss in losses:
                for f in g.training.after:
                    f()
        g.summary()
        return [f[:3] for f in live.found], g

    def test_a_loss_of_0_from_the_first_step_on(self):
        self.assertEqual(self.feed(*[0.0] * 7)[0], [])
        self.assertEqual(self.feed(*[0.0] * 20)[0], [("no-targets", "note", 1), ("no-targets", "degrade", 1), ("empty-loss", "poison", 1), ("empty-loss", "poison", 1)])

    def test_a_margin_that_is_kept_later(self):
        found, g = self.feed(0.5, *[0.0] * 20)
        self.assertEqual(found, [])
        self.assertFalse(g.training.after)  # nobody looks any more

    def test_a_reward_that_comes_later(self):
        self.assertEqual(self.feed(*[0.0] * 20 + [0.5] + [0.0] * 20)[0], [("no-targets", "note", 1)])

    def test_gradients_that_are_not_0(self):
        self.assertEqual(self.feed(*[0.0] * 20, gradient=True)[0], [])


class Targets(unittest.TestCase):
    def feed(self, *counts, alone=True):
        live, g = guard()
        for n in counts:
            if not g.said:
                g.count(n, 10, alone, "the loss")
            live.step = max(live.step, 0) + 1
        return live.found

    def test_none_from_the_first_step_on(self):
        self.assertEqual(self.feed(0, 0, 0), [("no-targets", "degrade", 1, ""), ("empty-loss", "poison", 1, "loss"), ("empty-loss", "poison", 1, "train*loss")])

    def test_a_batch_or_two_without_any(self):
        for counts in ((5, 1, 0), (0, 0, 4, 0, 0), (5,) + (0,) * 7, (1,) * 9):
            self.assertEqual(self.feed(*counts), [], counts)

    def test_none_any_more(self):
        self.assertEqual(self.feed(5, *[0] * 8)[0], ("no-targets", "degrade", 2, ""))

    def test_beside_another_loss_it_is_a_note(self):
        self.assertEqual(self.feed(0, 0, 0, alone=False), [("no-targets", "note", 1, "")])

    def test_words(self):
        _, g = guard()
        self.assertEqual(g.facts(), {})
        g.count(3, 12, True, "the loss")
        self.assertEqual(g.facts(), {"supervised": "3 of 12 targets of the loss (25 %)"})


class Node:
    def __init__(self, *inner, **saved):
        self.next_functions = [(n, 0) for n in inner]
        self.__dict__.update(saved)


def node(name, *inner, **saved):
    return type(name, (Node,), {})(*inner, **saved)


class Graph(unittest.TestCase):
    def look(self, top):
        found, others = targets.entropies(Of(grad_fn=top))
        return len(found), others

    def test_entropies_are_found_below_sums_and_scales(self):
        nll = lambda: node("NllLossBackward0", _saved_ignore_index=-100)
        self.assertEqual(self.look(nll()), (1, False))
        self.assertEqual(self.look(node("MulBackward0", node("DivBackward0", nll()), None)), (1, False))
        self.assertEqual(self.look(node("AddBackward0", nll(), nll())), (2, False))
        self.assertEqual(self.look(node("AddBackward0", nll(), node("MseLossBackward0"))), (1, True))
        self.assertEqual(self.look(node("CompiledFunctionBackward")), (0, True))
        self.assertEqual(self.look(None), (0, False))


class Loader:
    """Of torch, as far as it says which samples it gives."""

    def __init__(self, dataset, sampler="SequentialSampler", **kwargs):
        self.dataset, self.sampler = dataset, type(sampler, (), {})()
        self.sampler.__dict__.update(kwargs)


class Subset:
    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices

    def __len__(self):
        return len(self.indices)


class Overlap(unittest.TestCase):
    def judge(self, trains, evaluates):
        live = Live()
        a, b = (Of(number=i, name="n%d" % i, source=lambda l=l: (l.dataset, l.sampler)) for i, l in enumerate((trains, evaluates)))
        data = Of(evaluations=[], trained=[], training_now={a: None})
        overlap.Guard(live, data).evaluates(b)
        return sorted({effect for _, effect, _, _ in live.found}), len(live.found)

    def setUp(self):
        sys.modules.setdefault("torch", types.ModuleType("torch"))
        if not hasattr(sys.modules["torch"], "Tensor"):
            sys.modules["torch"].Tensor = type("Tensor", (), {})
            self.addCleanup(sys.modules.pop, "torch")

    def test_splits(self):
        whole, copy = list(range(100)), list(range(100))
        part = lambda a, b, of=whole: Loader(Subset(of, list(range(a, b))))
        self.assertEqual(self.judge(part(0, 80), part(80, 100)), ([], 0))
        self.assertEqual(self.judge(part(0, 80), part(70, 100)), (["degrade"], 4))
        self.assertEqual(self.judge(part(0, 80), part(70, 100, copy)), (["degrade"], 4))  # another object, the same samples
        self.assertEqual(self.judge(part(0, 80), part(70, 100, list(range(100, 200)))), ([], 0))

    def test_what_is_done_on_purpose_is_a_note(self):
        whole = list(range(100))
        self.assertEqual(self.judge(Loader(whole), Loader(whole)), (["note"], 1))
        self.assertEqual(self.judge(Loader(whole), Loader(Subset(whole, [1, 2, 3]))), (["note"], 1))
        self.assertEqual(self.judge(Loader(Subset(whole, [1, 2, 3])), Loader(whole)), (["note"], 1))

    def test_samplers(self):
        whole = list(range(100))
        own = lambda *i: Loader(whole, "SubsetRandomSampler", indices=i)
        self.assertEqual(self.judge(own(1, 2, 3), own(4, 5)), ([], 0))
        self.assertEqual(self.judge(own(1, 2, 3), own(3, 4)), (["degrade"], 4))
        self.assertEqual(self.judge(own(1, 2), Loader(whole, "Curriculum")), ([], 0))


class Digests(unittest.TestCase):
    def setUp(self):
        Overlap.setUp(self)

    def test_parts_count(self):
        batch = {"ids": [[1, 2], [3, 4]], "text": "a"}
        self.assertEqual(content.digest(batch), content.digest({"ids": [[1, 2], [3, 4]], "text": "a"}))
        for other in ({"ids": [[1, 2], [3, 5]], "text": "a"}, {"ids": [[1, 2], [3, 4]], "text": "b"}, [1], None):
            self.assertNotEqual(content.digest(batch), content.digest(other))

    def test_what_is_not_known_says_so(self):
        self.assertEqual(content.digest([1, object()]), "")


if __name__ == "__main__":
    unittest.main()
