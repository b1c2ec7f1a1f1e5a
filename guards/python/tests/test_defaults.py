"""Numbers that stand in the source, and numbers that were computed."""

import sys
import types
import unittest

from trainvet import defaults


SOURCE = """
def missing(results):
    return results.get("ap", 0.0)
"""
BOUND = """
def bounded(value):
    return max(0.0, value)
"""
ANSWER = """
def right(value):
    return 1.0 if value else 0.0
"""
CASE = """
def share(hits, all):
    if hits == 0:
        return 0.0
    return hits / all
"""
REPORT = """
def report(value, written):
    return written(value)
"""


def module(source):
    scope = {"__name__": "trainer"}
    exec(compile(source + REPORT, "train.py", "exec"), scope)
    return types.SimpleNamespace(**{k: v for k, v in scope.items() if k[0] != "_"}), scope["report"]


class Written(unittest.TestCase):
    def written(self, source, name, *args):
        functions, report = module(source)
        return report(getattr(functions, name)(*args), defaults.written)

    def test_a_default_is_the_number_of_the_source(self):
        found = self.written(SOURCE, "missing", {})
        self.assertEqual((found.code.co_name, found.replaces), ("missing", True))

    def test_a_case_of_its_own_may_be_the_value(self):
        found = self.written(CASE, "share", 0, 4)
        self.assertEqual((found.code.co_name, found.replaces), ("share", False))

    def test_a_computed_zero_is_another_object(self):
        self.assertIsNone(self.written(SOURCE, "missing", {"ap": float("0")}))

    def test_a_bound_or_an_answer_is_no_default(self):
        self.assertIsNone(self.written(BOUND, "bounded", -1.0))
        self.assertIsNone(self.written(SOURCE + BOUND, "missing", {}))
        self.assertIsNone(self.written(ANSWER, "right", False))

    def test_names(self):
        for name in ("val_ap", "eval/accuracy", "Val mAP", "test/precision"):
            self.assertTrue(defaults.evaluates(name), name)
        for name in ("weight_decay", "lr", "best_val_acc", "train/loss", "dropout", "val_f1", "test/BLEU"):
            self.assertFalse(defaults.evaluates(name), name)


class Loader:
    """Stands for the loader that trains."""


class Passes(unittest.TestCase):
    def setUp(self):
        self.found = []
        self.live = types.SimpleNamespace(step=5, finding=lambda code, effect, text, **more: self.found.append((code, effect, text, more["since"])))
        self.loaders = types.SimpleNamespace(ended=[], trained=[Loader])
        self.root = types.SimpleNamespace(training=False)
        self.guard = defaults.Guard(self.live, self.loaders, types.SimpleNamespace(roots={1: self.root}))
        sys.modules["torch"] = types.SimpleNamespace(is_grad_enabled=lambda: True)
        self.addCleanup(sys.modules.pop, "torch")

    def ended(self, batches, known, size, loader=Loader):
        self.loaders.ended[0](types.SimpleNamespace(batches=batches, known=known, size=size, loader=lambda: loader))

    def test_an_evaluation_of_nothing(self):
        self.ended(0, 48, 64)
        self.assertEqual([f[:2] + f[3:] for f in self.found], [("empty-evaluation", "poison", 5)])
        self.assertIn("48 samples", self.found[0][2])

    def test_one_with_a_batch(self):
        self.ended(1, 48, 48)
        self.assertEqual(self.found, [])

    def test_a_training_of_nothing(self):
        self.root.training = True
        self.ended(0, 48, 64)
        self.ended(0, 48, 64, loader=None)
        self.assertEqual(self.found, [])

    def test_nothing_beside_a_training(self):
        self.root.training = True
        self.live.step = 0
        self.ended(0, 48, 64, loader="other")
        self.assertEqual(self.found, [])
        self.live.step = 5
        self.ended(0, 48, 64, loader="other")
        self.assertEqual([f[:2] + f[3:] for f in self.found], [("empty-evaluation", "unprove", 5)])


if __name__ == "__main__":
    unittest.main()
