"""Gradients that nobody makes anew, and optimizers that make no step, on stand-ins."""

import types
import unittest

from trainvet import events, gate, leftover, live, moves, unstepped


class Out:
    def __init__(self):
        self.rows = []

    def write(self, kind, data, place=None):
        self.rows.append(data)

    def place(self):
        return None


class Values(list):
    """Of a gradient, as a sample of them is compared."""

    def any(self):
        return any(list(self))


class Gradient:
    def __init__(self, *values):
        self.values, self._version = Values(values), 0


class Parameter:
    requires_grad = True

    def __init__(self, *values):
        self.grad = Gradient(*values)
        self.device, self.values = types.SimpleNamespace(type="cpu"), Values(values)

    def numel(self):
        return len(self.values)


class Case(unittest.TestCase):
    def setUp(self):
        self.out = Out()
        self.live = live.Live(self.out, lambda what, error: self.fail("%s: %s" % (what, error)))
        self.live.step = 1
        self.stepping = types.SimpleNamespace(seldom=events.Event(), ledgers={}, leave=lambda f: None)
        self.training = types.SimpleNamespace(backwards=0, leaves=())
        kept = gate.plain, gate.unreadable, moves.sample, moves.torch_equal
        gate.plain, gate.unreadable, moves.sample, moves.torch_equal = lambda t: True, lambda: False, lambda t: Values(t.values), lambda a, b: a == b
        self.addCleanup(lambda: (setattr(gate, "plain", kept[0]), setattr(gate, "unreadable", kept[1]), setattr(moves, "sample", kept[2]), setattr(moves, "torch_equal", kept[3])))
        self.p = Parameter(1.0, 2.0)
        self.ledger = types.SimpleNamespace(attempted=0, applied=0, name="SGD", live=self.live, held=lambda: [self.p], closely=lambda n: None, optimizer=lambda: self)

    def found(self):
        return [(r["code"], r["effect"], r["from"]) for r in self.out.rows]


class Leftover(Case):
    def steps(self, n, make=lambda p: None):
        guard = getattr(self, "guard", None) or leftover.Guard(self.live, self.stepping, self.training)
        self.guard = guard
        for _ in range(n):
            self.training.backwards += 1
            make(self.p)
            self.ledger.attempted += 1
            guard.stepped(self, self.ledger, False)

    def test_the_model_is_another_one(self):
        self.steps(5, lambda p: setattr(p, "grad", Gradient(3.0)))
        self.steps(6)
        self.assertEqual(self.found(), [("optimizer-stale", "degrade", 6)])

    def test_more_is_added(self):
        self.steps(8, lambda p: setattr(p.grad, "_version", p.grad._version + 1))
        self.assertEqual(self.found(), [])

    def test_values_are_copied_past_the_version(self):
        self.steps(8, lambda p: p.grad.values.append(1.0))
        self.assertEqual(self.found(), [])

    def test_gradients_of_0_say_nothing(self):
        self.p = Parameter(0.0)
        self.steps(8)
        self.assertEqual(self.found(), [])

    def test_several_steps_by_one_gradient(self):
        self.steps(1)
        for _ in range(8):
            self.guard.stepped(self, self.ledger, False)
        self.assertEqual(self.found(), [])


class Unstepped(Case):
    def run_it(self, clear, later=lambda: None):
        other = types.SimpleNamespace(param_groups=[{"params": [self.p]}])
        optimizer = type("Adam", (), {"param_groups": other.param_groups})()
        self.stepping.there = lambda: [optimizer]
        self.training.leaves = [self.p]
        self.ledger.held = lambda: []
        self.stepping.ledgers = {1: self.ledger}
        guard = unstepped.Guard(self.live, self.stepping, self.training)
        for n in range(40):
            self.training.backwards += 1
            clear(self.p)
            self.ledger.attempted = self.ledger.applied = n + 1
            guard.stepped(self, self.ledger, False)
        later()
        guard.summary()

    def test_cleared_and_never_used(self):
        self.run_it(lambda p: setattr(p, "grad", Gradient(1.0)))
        self.assertEqual(self.found(), [("parameters-stand-still", "degrade", 1)])

    def test_cleared_in_place(self):
        self.run_it(lambda p: setattr(p.grad, "_version", p.grad._version + 2))
        self.assertEqual(len(self.found()), 1)

    def test_gathered(self):
        self.run_it(lambda p: setattr(p.grad, "_version", p.grad._version + 1))
        self.assertEqual(self.found(), [])

    def test_moved_by_somebody(self):
        self.run_it(lambda p: setattr(p, "grad", Gradient(1.0)), lambda: self.p.values.append(1.0))
        self.assertEqual(self.found(), [])


if __name__ == "__main__":
    unittest.main()
