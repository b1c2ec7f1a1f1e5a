"""When a step in evaluation mode is one that was not meant, on stand-ins."""

import types
import unittest

from trainvet import events, live, modes


class Module:
    def __init__(self, *children, parameters=(), **attributes):
        self.children, self.training = children, True
        self._parameters = {str(i): p for i, p in enumerate(parameters)}
        self.__dict__.update(attributes)

    def modules(self):
        yield self
        for child in self.children:
            yield from child.modules()

    def tell(self, guard, mode):
        for m in self.modules():
            m.training = mode
        guard.set(self, mode)


class Dropout(Module):
    pass


class BatchNorm1d(Module):
    pass


class Parameter:
    requires_grad = True


class Case(unittest.TestCase):
    def setUp(self):
        self.rows = []
        out = types.SimpleNamespace(write=lambda kind, data, place=None: self.rows.append(data), place=lambda: None)
        self.live = live.Live(out, lambda what, error: self.fail("%s: %s" % (what, error)))
        self.stepping = types.SimpleNamespace(listeners=events.Event(), ledgers={})
        self.stepping.leave = self.stepping.listeners.leave
        self.guard = modes.Guard(self.live, self.stepping)
        self.weights = [Parameter(), Parameter()]
        self.optimizer = types.SimpleNamespace(param_groups=[{"params": self.weights}])

    def step(self):
        self.live.step = max(self.live.step, 0) + 1
        for listener in self.stepping.listeners:
            listener(self.optimizer, types.SimpleNamespace(due=True), False)

    def found(self):
        return [(r["code"], r["effect"], r["from"]) for r in self.rows]


class Leaks(Case):
    def test_an_evaluation_that_is_not_left(self):
        model = Module(Dropout(p=0.1), parameters=self.weights)
        model.tell(self.guard, True)
        self.step()
        model.tell(self.guard, False)
        self.step()
        self.assertEqual(self.found(), [("trained-in-eval-mode", "degrade", 2)])
        self.step()
        self.guard.summary()
        self.assertEqual(self.rows[-1]["text"], "2 of 0 steps were made in evaluation mode")  # no ledger in here counts

    def test_one_that_is_left(self):
        model = Module(BatchNorm1d(), parameters=self.weights)
        for _ in range(3):
            model.tell(self.guard, True)
            self.step()
            model.tell(self.guard, False)
        self.assertEqual(self.found(), [])

    def test_a_model_that_was_never_awake_may_be_meant_so(self):
        model = Module(Dropout(p=0.1), parameters=self.weights)
        model.tell(self.guard, False)
        self.step()
        self.assertEqual(self.found(), [("trained-in-eval-mode", "note", 1)])

    def test_a_network_that_is_put_to_sleep_between_two_steps(self):
        inner = Module(Dropout(p=0.1), parameters=self.weights)
        whole = Module(inner)
        whole.tell(self.guard, True)
        self.step()
        inner.tell(self.guard, False)
        self.step()
        self.assertEqual(self.found(), [("trained-in-eval-mode", "degrade", 2)])


class Meant(Case):
    def test_a_model_whose_mode_changes_nothing(self):
        for model in (Module(parameters=self.weights), Module(Dropout(p=0.0), parameters=self.weights)):
            model.tell(self.guard, True)
            model.tell(self.guard, False)
            self.step()
        self.assertEqual(self.found(), [])

    def test_a_frozen_backbone_beside_a_head(self):
        backbone, head = Module(BatchNorm1d(parameters=[Parameter()])), Module(parameters=self.weights)
        whole = Module(backbone, head)
        for _ in range(2):
            whole.tell(self.guard, True)
            backbone.tell(self.guard, False)
            self.step()
        self.assertEqual(self.found(), [])

    def test_a_batch_norm_that_is_held(self):
        norm = BatchNorm1d(parameters=self.weights)
        whole = Module(norm)
        whole.tell(self.guard, True)
        norm.tell(self.guard, False)  # where the whole was told its mode
        self.step()
        self.assertEqual(self.found(), [])

    def test_a_model_that_is_gone(self):
        model = Module(Dropout(p=0.1), parameters=self.weights)
        model.tell(self.guard, True)
        model.tell(self.guard, False)
        del model
        self.step()
        self.assertEqual(self.found(), [])


class Costs(Case):
    def test_nobody_listens_while_all_are_awake(self):
        model = Module(Dropout(p=0.1), parameters=self.weights)
        model.tell(self.guard, False)
        self.assertIn(self.guard.stepped, self.stepping.listeners)
        model.tell(self.guard, True)
        self.step()
        self.assertNotIn(self.guard.stepped, self.stepping.listeners)

    def test_what_a_dropout_of_numbers_is(self):
        self.assertTrue(modes.changes_with_mode(Module(dropout=0.1)))
        self.assertFalse(modes.changes_with_mode(Module(dropout=0.0)))
        self.assertFalse(modes.changes_with_mode(Module(dropout=Module())))


if __name__ == "__main__":
    unittest.main()
