"""What the checks ask before they look at a value, and what becomes of a listener."""

import json
import os
import subprocess
import sys
import tempfile
import types
import unittest

from trainvet import gate, live, steps


class Budgets(unittest.TestCase):
    def test_all_looks_together_stay_in_their_share(self):
        now = [0.0]
        budget = gate.Budget(clock=lambda: now[0])
        self.assertTrue(budget.allows())
        with budget:
            now[0] += 1.0
            with budget:  # a look within a look is counted once
                now[0] += 1.0
        self.assertEqual(budget.spent, 2.0)
        self.assertFalse(budget.allows())
        now[0] = 250.0
        self.assertTrue(budget.allows())

    def test_a_look_that_raises_is_counted(self):
        now = [0.0]
        budget = gate.Budget(clock=lambda: now[0])
        with self.assertRaises(ValueError):
            with budget:
                now[0] = 1.0
                raise ValueError
        self.assertEqual((budget.spent, budget.depth), (1.0, 0))


class Out:
    def __init__(self):
        self.lines = []

    def write(self, kind, data, place=None):
        self.lines.append((kind, data))


class Adam:
    def __init__(self, *groups):
        self.param_groups = [{"params": list(g)} for g in groups]


class Listeners(unittest.TestCase):
    def setUp(self):
        self.errors = []
        self.guard = steps.Guard(live.Live(Out(), lambda what, e: self.errors.append((what, str(e)))))

    def test_one_that_errs_steps_aside(self):
        told = []

        def errs(optimizer, ledger, scaled):
            raise ValueError("x")

        self.guard.listeners += [errs, lambda optimizer, ledger, scaled: told.append(ledger.attempted)]
        optimizer = Adam()
        for _ in range(3):
            self.guard.stepped(optimizer)
        self.assertEqual(told, [1, 2, 3])
        self.assertEqual([e[1] for e in self.errors], ["x"])

    def test_one_leaves_while_others_are_told(self):
        told = []

        def once(optimizer):
            told.append("once")
            self.guard.leave(once)

        self.guard.before += [once, lambda optimizer: told.append("always")]
        for _ in range(2):
            self.guard.steps(Adam())
        self.assertEqual(told, ["once", "always", "always"])


class Boots(unittest.TestCase):
    def test_guards_that_cannot_be_brought_to_life_are_told_of(self):
        directory = tempfile.mkdtemp()
        os.mkdir(os.path.join(directory, "records"))
        code = "from trainvet import boot, guards; guards.Guards.install = None; boot.start(%r)" % directory
        subprocess.run([sys.executable, "-c", code], check=True, env=dict(os.environ, TRAINVET_RUN=directory))
        name, = os.listdir(os.path.join(directory, "records"))
        with open(os.path.join(directory, "records", name)) as f:
            rows = [json.loads(line) for line in f]
        self.assertEqual([r["type"] for r in rows], ["boot", "finding", "end"])
        self.assertEqual((rows[1]["data"]["code"], rows[1]["data"]["text"][:7]), ("hook-error", "guards:"))


class Held(unittest.TestCase):
    def test_parameters_are_listed_anew_when_they_change(self):
        a, b, c, d = (types.SimpleNamespace(name=n) for n in "abcd")
        optimizer = Adam([a, b], [c])
        ledger = steps.Ledger(live.Live(Out(), None), optimizer, "Adam")
        ledger.attempted = 1
        kept = ledger.held()
        self.assertEqual(kept, [a, b, c])
        self.assertIs(ledger.held(), kept)
        optimizer.param_groups[1]["params"][0] = d
        self.assertEqual(ledger.held(), [a, b, d])
        optimizer.param_groups.append({"params": [c]})
        self.assertEqual(ledger.held(), [a, b, d, c])

    def test_an_optimizer_that_is_gone_keeps_none(self):
        optimizer = Adam([types.SimpleNamespace()])
        ledger = steps.Ledger(live.Live(Out(), None), optimizer, "Adam")
        ledger.held()
        del optimizer
        self.assertEqual((ledger.held(), ledger.params), ([], []))


if __name__ == "__main__":
    unittest.main()
