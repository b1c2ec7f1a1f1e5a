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
        self.addCleanup(setattr, gate, "recorders", gate.recorders)
        gate.recorders = False

    def test_each_way_to_compile_is_noticed_first(self):
        for name, functions in (("torch.export", ("export",)), ("torch._dynamo", ("optimize", "optimize_assert", "export")), ("torch.jit._trace", ("trace", "trace_module", "_get_trace_graph"))):
            for function in functions:
                gate.recorders, asked = False, []
                module = types.ModuleType(name)
                setattr(module, function, lambda: asked.append(gate.recorders))
                compilers.Guard(None, lambda: None).actions()[name](module)
                self.assertFalse(gate.recorders)
                getattr(module, function)()
                self.assertEqual(asked, [True], function)

    def test_a_capture_is_noticed_first(self):
        class CUDAGraph:
            def capture_begin(self, pool=None):
                return pool, gate.recorders

        compilers.Guard(None).actions()["torch.cuda.graphs"](types.SimpleNamespace(CUDAGraph=CUDAGraph))
        self.assertFalse(gate.recorders)
        self.assertEqual(CUDAGraph().capture_begin(pool=3), (3, True))

    def test_what_was_called_before_is_assumed(self):
        kept = sys.modules.pop("torch._dynamo", None)
        try:
            compilers.known(None)
            self.assertFalse(gate.recorders)
            sys.modules["torch._dynamo"] = types.ModuleType("torch._dynamo")
            compilers.known(None)
            self.assertTrue(gate.recorders)
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

    def test_the_hook_before_updates_is_on_where_somebody_is_told(self):
        class Optimizer:
            def _patch_step_function(self):
                return "patched"

        class Handle:
            def __init__(handle, f):
                hooks.append(f)

            def remove(handle):
                hooks.remove(self.guard.steps)

        hooks, told = [], []
        module = types.SimpleNamespace(Optimizer=Optimizer, register_optimizer_step_pre_hook=Handle, register_optimizer_step_post_hook=lambda f: None)
        self.guard.optimizers(module)
        self.guard.seldom_before.append(lambda optimizer: told.append(self.guard.ledger(optimizer).attempted + 1))
        self.addCleanup(setattr, gate, "recorders", gate.recorders)
        gate.recorders = False

        def step(optimizer):
            for hook in list(hooks):
                hook(optimizer)
            self.guard.stepped(optimizer)
            return len(hooks)

        one, other = Adam(), Adam()
        on = [step(one) for _ in range(64)]
        self.assertEqual(told, list(range(1, 33)) + [40, 48, 56, 64])  # the same steps as ever
        self.assertEqual([n for n, hook in enumerate(on, 1) if not hook], [n for n in range(32, 65) if (n + 1) % 8])
        made = Optimizer()
        self.assertEqual(made._patch_step_function(), "patched")
        self.assertEqual((self.guard.there(), len(hooks)), ([made], 1))
        del made
        self.assertEqual(self.guard.there(), [])
        self.assertEqual([step(other) for _ in range(32)], [1] * 31 + [0])
        note = told.append
        self.guard.before.append(note)
        self.assertEqual((step(one), told[-1]), (1, one))
        self.guard.before.leave(note)
        gate.recorders = True  # steps may be compiled: what they ask for stays
        self.assertEqual([step(one) for _ in range(20)], [1] * 20)

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
