"""What the checks ask before they look at a value, and what becomes of a listener."""

import json
import os
import subprocess
import sys
import tempfile
import types
import unittest

from trainvet import compilers, gate, live, steps


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
        now[0] = 2.0 / gate.SHARE + 1
        self.assertTrue(budget.allows())

    def test_a_look_that_raises_is_counted(self):
        now = [0.0]
        budget = gate.Budget(clock=lambda: now[0])
        with self.assertRaises(ValueError):
            with budget:
                now[0] = 1.0
                raise ValueError
        self.assertEqual((budget.spent, budget.depth), (1.0, 0))


class Compilers(unittest.TestCase):
    def setUp(self):
        self.addCleanup(setattr, gate, "_compilers", gate._compilers)
        gate._compilers = False

    def test_each_way_to_compile_is_noticed_first(self):
        for name, functions in (("torch.export", ("export",)), ("torch._dynamo", ("optimize", "optimize_assert", "export"))):
            for function in functions:
                gate._compilers, asked = False, []
                module = types.SimpleNamespace(**{function: lambda: asked.append(gate._compilers)})
                compilers.Guard(None, lambda: None).actions()[name](module)
                self.assertFalse(gate._compilers)
                getattr(module, function)()
                self.assertEqual(asked, [True], function)

    def test_what_was_called_before_is_assumed(self):
        kept = sys.modules.pop("torch._dynamo", None)
        try:
            compilers.known()
            self.assertFalse(gate._compilers)
            sys.modules["torch._dynamo"] = types.ModuleType("torch._dynamo")
            compilers.known()
            self.assertTrue(gate._compilers)
        finally:
            sys.modules.pop("torch._dynamo", None)
            if kept is not None:
                sys.modules["torch._dynamo"] = kept


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


    def test_seldom_is_each_step_at_first_and_ever_more_rarely(self):
        told = []
        self.guard.seldom.append(lambda optimizer, ledger, scaled: told.append(ledger.attempted))
        self.guard.seldom_before.append(lambda optimizer: told.append(-1 - self.guard.ledger(optimizer).attempted))
        optimizer = Adam()
        for _ in range(320):
            self.guard.steps(optimizer)
            self.guard.stepped(optimizer)
        after = [n for n in told if n > 0]
        self.assertEqual(after, list(range(1, 33)) + list(range(40, 257, 8)) + [288, 320])
        self.assertEqual([-n for n in told if n < 0], after)  # the same steps, before and after

    def test_a_check_may_look_closely(self):
        told = []

        def looks(optimizer, ledger, scaled):
            told.append(ledger.attempted)
            if ledger.attempted == 40:
                ledger.closely(3)

        self.guard.seldom.append(looks)
        optimizer = Adam()
        for _ in range(48):
            self.guard.steps(optimizer)
            self.guard.stepped(optimizer)
        self.assertEqual(told[32:], [40, 41, 42, 43, 48])

    def test_the_beginning_of_each_optimizer(self):
        told = []
        self.guard.beginning.append(told.append)
        one, other = Adam(), Adam()
        for optimizer in (one, one, other, one, other):
            self.guard.steps(optimizer)
            self.guard.stepped(optimizer)
        self.assertEqual(told, [one, other])


class Scaler:
    _enabled = True

    def scale(self, loss):
        return loss

    def step(self, optimizer):
        return "stepped"

    def update(self):
        return None


class Scalers(unittest.TestCase):
    def setUp(self):
        self.guard = steps.Guard(live.Live(Out(), lambda what, e: self.fail(what)))
        self.cls = type("GradScaler", (), dict(vars(Scaler)))
        self.original = self.cls.scale

    def test_what_nobody_wants_to_hear_of_is_the_librarys_own_again(self):
        told = []
        note = lambda scaler, loss: told.append(loss)
        self.guard.scaler_calls["scale"].append(note)
        self.guard.scalers(self.cls)
        self.assertEqual((self.cls().scale(3), told), (3, [3]))
        self.guard.unnoted(note)
        self.assertIs(self.cls.scale, self.original)

    def test_not_where_a_compiler_looked_or_another_stands_over_it(self):
        note = lambda scaler, loss: None
        self.guard.scaler_calls["scale"].append(note)
        self.guard.scalers(self.cls)
        theirs = self.cls.scale = lambda scaler, loss: loss
        self.guard.unnoted(note)
        self.assertIs(self.cls.scale, theirs)
        other = type("GradScaler", (), dict(vars(Scaler)))
        self.guard.scaler_calls["scale"].append(note)
        self.guard.scalers(other)
        ours = other.scale
        self.guard.methods.compiled = True
        self.guard.unnoted(note)
        self.assertIs(other.scale, ours)


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
