"""What was planned, what was done, and what may have ended it before; which device
was asked for; where a training stands, on accelerators that are given."""

import os
import sys
import tempfile
import types
import unittest

from trainvet import accelerators, budget, events, firststep, intent, loaders, stops


class Live:
    def __init__(self):
        self.step, self.after, self.findings = 0, [], []
        self.out = types.SimpleNamespace(write=lambda kind, data: None)

    def finding(self, code, effect, text, **rest):
        self.findings.append((code, effect, text))

    def report(self, what, error):
        raise error


class Stepping:
    def __init__(self):
        self.listeners, self.ledgers = events.Event(), {}


def asked(argv, **values):
    sys.argv = ["train.py"] + argv
    guard = intent.Guard(Live(), types.SimpleNamespace(listeners=[]))
    if values:
        guard.told("argparse", values)
    return guard.command_line()


class Intent(unittest.TestCase):
    def setUp(self):
        self.argv, self.environ = sys.argv, dict(os.environ)
        for name in intent.VARIABLES + intent.HIDDEN + ("ACCELERATE_USE_CPU",):
            os.environ.pop(name, None)

    def tearDown(self):
        sys.argv = self.argv
        os.environ.clear()
        os.environ.update(self.environ)

    def test_devices(self):
        for argv, values, want in (
            (["--device", "cuda:0"], {}, "gpu"),
            (["--device=cpu"], {"device": "cpu"}, "cpu"),
            ([], {"device": "cpu"}, "auto"),  # what the trainer found
            ([], {"device": "gpu"}, "gpu"),
            (["device=mps"], {}, "gpu"),
            (["--no-cuda"], {"no_cuda": True}, "cpu"),
            ([], {"no_cuda": False}, "auto"),
            (["--gpu", "0"], {"gpu": 0}, "gpu"),
            ([], {"gpu": 0}, "auto"),  # an index by default
            (["--gpus", "0"], {"gpus": 0}, "cpu"),
            (["trainer.accelerator=gpu"], {}, "gpu"),
            ([], {"model": {"device": "cuda"}}, "gpu"),
            (["--lr", "0.1"], {"lr": 0.1}, "auto"),
        ):
            self.assertEqual(asked(argv, **values).wanted()[0], want, (argv, values))

    def test_variables(self):
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
        self.assertEqual(asked([]).wanted()[0], "hidden")
        self.assertEqual(asked(["--device", "gpu"]).wanted()[0], "gpu")
        os.environ["ACCELERATE_USE_CPU"] = "true"
        self.assertEqual(asked([]).wanted()[0], "cpu")

    def test_plans(self):
        for argv, values, epochs, steps in (
            (["--epochs", "3"], {}, 3, None),
            ([], {"num_train_epochs": 3.0, "max_steps": -1}, 3, None),
            ([], {"max_iters": 100}, None, 100),
            (["trainer.max_epochs=7"], {}, 7, None),
            ([], {"generator": {"epochs": 2}, "critic": {"epochs": 5}}, None, None),  # two of them
            ([], {"warmup_epochs": 3, "num_steps": 5}, None, None),
        ):
            guard = asked(argv, **values)
            for want, of in ((epochs, guard.epochs), (steps, guard.steps)):
                found = guard.planned(of)
                self.assertEqual(found and found[0], want, (argv, values))
        self.assertEqual(asked([], patience=2).otherwise, ["patience"])


class Budget(unittest.TestCase):
    def setUp(self):
        self.argv = sys.argv

    def tearDown(self):
        sys.argv = self.argv

    def guard(self, passes, made, **values):
        """Passes: (batches drawn of 5, by 2 of 9 samples)."""
        live, stepping = Live(), Stepping()
        counted = loaders.Guard(live, stepping)
        guard = budget.Guard(live, stepping, counted, asked([], **values))
        live.step = made
        stepping.ledgers[1] = types.SimpleNamespace(attempted=made)
        for batches in passes:
            one = loaders.Pass.__new__(loaders.Pass)
            one.size, one.whole, one.known, one.complete, one.trained, one.counted, one.batches = 2, 9, 9, batches == 5, True, 0, batches
            counted.sums.begin(one)
        guard.scope = types.SimpleNamespace(why=lambda *counts: ("", ""))
        return guard

    def said(self, guard):
        guard.summary()
        return [(code, effect) for code, effect, _ in guard.live.findings]

    def test_fewer_than_planned(self):
        guard = self.guard([5, 5], 6, epochs=3)
        self.assertEqual(self.said(guard), [("budget", "degrade")])
        self.assertIn("2 of 3 planned epochs, 18 of 27 planned samples", guard.live.findings[0][2])

    def test_healthy(self):
        for passes, made, values in (
            ([5, 5, 5], 9, {"epochs": 3}),
            ([5, 5], 6, {"epochs": 3, "max_steps": 6}),  # an explicit limit
            ([5, 5], 6, {"epochs": 5, "start_epoch": 3}),
            ([2, 2, 2], 3, {"epochs": 3}),  # a trainer says what an epoch is
            ([5, 5], 6, {}),
            ([], 6, {"epochs": 3}),  # no loader was seen: not checked
            ([5, 5, 5, 5], 12, {"epochs": 3}),
        ):
            self.assertEqual(self.said(self.guard(passes, made, **values)), [], (passes, values))

    def test_what_may_have_ended_it_is_a_note(self):
        self.assertEqual(self.said(self.guard([5, 5], 6, epochs=3, patience=2)), [("budget", "note")])
        guard = self.guard([5, 5], 6, epochs=3)
        guard.resumed = True
        self.assertEqual(self.said(guard), [("budget", "note")])
        guard = self.guard([5, 5], 6, epochs=3)
        guard.scope = types.SimpleNamespace(why=lambda *counts: ("a limit that is written down", ""))
        self.assertEqual(self.said(guard), [])

    def test_the_last_pass_was_cut(self):
        self.assertEqual(self.said(self.guard([5, 5, 3], 8, epochs=3)), [("budget", "degrade")])


SOURCE = """
import sys
def fit(budget, stops, {argument}):
    for epoch in range(3):
        for batch in range(4):
            frames.append(sys._getframe())
            seen.append(look())
            return
{more}
"""


class Stops(unittest.TestCase):
    def scope(self, argument, more="", **given):
        handle, name = tempfile.mkstemp(suffix=".py")
        self.addCleanup(os.unlink, name)
        text = SOURCE.replace("{argument}", argument).replace("{more}", more)
        with os.fdopen(handle, "w") as f:
            f.write(text)
        frames, seen = [], []
        names = {"frames": frames, "seen": seen, "look": lambda: stops.Scope(frames[0])}
        exec(compile(text, name, "exec"), names)
        names["fit"](given.get("budget", 1000), given.get("stops", 0))
        return seen[0]

    def test_a_number_that_was_reckoned_is_no_reason(self):
        reckoned = len("thirteen letters"[:13])
        scope = self.scope("left=None", budget=reckoned)
        self.assertEqual(scope.why(13), ("", ""))

    def test_a_limit_that_is_written_down_is(self):
        reason, doubt = self.scope("max_steps=12", budget=12).why(12)
        self.assertIn("limit of 12", reason)
        self.assertEqual(doubt, "")
        reason, _ = self.scope("left=None", more="max_updates = 12 if fit else None", budget=12).why(12)
        self.assertIn("limit of 12", reason)

    def test_a_limit_in_a_table(self):
        for table in ("dict(max_steps=12, width=9)", "{'max_steps': 12, 'width': 9}"):
            reason, doubt = self.scope("config=" + table).why(12)
            self.assertIn("limit of 12", reason)
        n = len("thirteen letters"[:13])
        entry = "config = {}\nif %s:\n    config['max_steps'] = 13\n    fit(13, 0, config)"
        self.assertIn("limit of 13", self.scope("config=None", more=entry % "fit").why(n)[0])
        self.assertEqual(self.scope("config=None", more=entry % "not fit", budget=n).why(n), ("", ""))  # never made
        self.assertEqual(self.scope("config=dict(total_steps=len('thirteen letters'[:13]))").why(13), ("", ""))  # reckoned
        self.assertIn("is left", self.scope("config=dict(width=9)").why(9)[1])  # no number of steps

    def test_a_loop_that_is_left(self):
        self.assertIn("a loop that is left at", self.scope("left=None").why(7)[1])

    def test_words(self):
        self.assertEqual(self.scope("patience=3").why(7), ("", "patience"))
        self.assertNotEqual(self.scope("patience=0").why(7), ("", "patience"))


class FirstStep(unittest.TestCase):
    """On accelerators that are given, and parameters that are where it says."""

    def facts(self, wanted, device, idle):
        live = Live()
        guard = firststep.Guard(live, Stepping(), None, None, None, lambda: idle)
        guard.intent = types.SimpleNamespace(command_line=lambda: types.SimpleNamespace(wanted=lambda: wanted))
        guard.facts["device"] = device
        guard.device()
        return guard.facts, [code for code, _, _ in live.findings]

    def test_devices(self):
        gpu = [accelerators.Accelerator("cuda", "cuda:0"), accelerators.Accelerator("cuda", "cuda:1")]
        hidden = [accelerators.Accelerator("cuda", "an NVIDIA device", "the installed PyTorch is not built for it")]
        auto, asked_cpu, asked_gpu = ("auto", "", ""), ("cpu", "--device cpu", "x"), ("gpu", "--device gpu", "x")
        for wanted, device, idle, slow, listed in (
            (auto, "cpu", [], False, None),
            (auto, "cpu", gpu, True, "cuda:0, cuda:1"),
            (auto, "cpu", hidden, True, "an NVIDIA device"),
            (auto, "cuda:0", gpu, False, "cuda:1"),
            (auto, "cuda", gpu, False, "cuda:1"),
            (asked_cpu, "cpu", gpu, False, "cuda:0, cuda:1"),
            (("hidden", "no device", "x"), "cpu", gpu, False, "cuda:0, cuda:1"),
            (asked_gpu, "cpu", [], True, None),
            (asked_gpu, "cuda:1", gpu, False, "cuda:0"),
        ):
            facts, said = self.facts(wanted, device, idle)
            self.assertEqual(("slow" in facts, facts.get("idle")), (slow, listed), (wanted, device))
            self.assertEqual(said, ["accelerator-idle"] if slow else [])


if __name__ == "__main__":
    unittest.main()
