"""Scalers and tokenizers that a trainer wrote itself, on stand-ins."""

import sys
import types
import unittest
from unittest import mock

from trainvet import events, grade, handwritten, live, ownscaler, steps, vocabulary


class Out:
    def __init__(self):
        self.rows = []

    def write(self, kind, data, place=None):
        self.rows.append((kind, data))

    def place(self):
        return None


class Words:
    pad = 0

    def __init__(self, table):
        self.table = table

    def decode(self, ids):
        return " ".join(self.table.get(i, "") for i in ids)


class Tokenizers(unittest.TestCase):
    def test_what_holds_words(self):
        for table in ({0: "a", 1: "b"}, {"a": 0, "b": 1}, list("abcdefghij"), "abcdefghij", {b"a": 1, b"b": 2}):
            self.assertGreater(vocabulary.words(Words(table)), 0, table)
        for table in ({}, {"width": "wide", "height": "high"}, {1: 2, 3: 4}, {"mean": 0.5, "std": 1.0}, [1.0] * 9, ["a"], None, {"x": True, "y": False}):
            self.assertEqual(vocabulary.words(Words(table)), 0, table)

    def test_only_the_patterns_are_no_ids_of_it(self):
        loose = vocabulary.Loose(30, "Words")
        sheet = grade.grade_rows([[16843009] * 6], loose, 0, None, 32)
        self.assertEqual(sheet.grade, grade.SIGNATURE)
        for row in ([3, 40, 5000, 70000], [-1] * 6, [4, -100, -100]):
            self.assertNotEqual(grade.grade_rows([row], loose, 0, None, 64).grade, grade.SIGNATURE, row)


class Functions(unittest.TestCase):
    def setUp(self):
        self.seen = []
        decode = types.SimpleNamespace(shelf=vocabulary.Shelf(), wrapped=lambda original, name: lambda table, ids, call: (self.seen.append((name, ids)), call())[1])
        self.guard = handwritten.Guard.__new__(handwritten.Guard)
        self.guard.decode = decode

    def module(self, source):
        scope = {"__name__": "trainer"}
        exec(source, scope)
        self.guard.functions(scope)
        return types.SimpleNamespace(**{k: v for k, v in scope.items() if k[0] != "_"})

    def test_a_table_and_what_looks_it_up(self):
        m = self.module("itos = {0: 'a', 1: 'b'}\ndef ids_to_text(ids):\n    return ' '.join(itos.get(i, '') for i in ids)\n")
        self.assertEqual((m.ids_to_text([0, 1]), m.ids_to_text.__name__), ("a b", "ids_to_text"))
        self.assertEqual(self.seen, [("ids_to_text", [0, 1])])

    def test_what_gets_no_ids(self):
        m = self.module("itos = {0: 'a', 1: 'b'}\ndef decode(path, mode='r'):\n    return path\n")
        self.assertEqual([m.decode("a.png"), m.decode(None), m.decode(["a", "b"]), m.decode(1.5)], ["a.png", None, ["a", "b"], 1.5])
        self.assertEqual(self.seen, [])

    def test_without_a_table_nothing_is_touched(self):
        m = self.module("'what a module says of itself'\nNAME = 'resnet50-large'\ndef decode(ids):\n    return ids\n")
        self.assertFalse(hasattr(m.decode, "__wrapped__"))

    def test_names(self):
        for name in ("decode", "decode_batch", "ids_to_text", "ids2words", "detokenize", "to_text", "tokens_to_string", "idx_to_char"):
            self.assertTrue(handwritten.NAMED.search(name), name)
        for name in ("train", "to_device", "grids_to_device", "video", "tokens", "predict", "auto_tokens"):
            self.assertFalse(handwritten.NAMED.search(name), name)


class Optimizer:
    def __init__(self):
        self.param_groups = [{"params": []}]


class Scaler:
    def __init__(self):
        self.loss_scale, self.growth_factor, self.init_scale = 8.0, 2.0, 16.0
        self.overflow = self.falls = False

    def scale(self, loss):
        return loss * self.loss_scale

    def step(self, optimizer):
        if not self.overflow:
            self.made()

    def update(self):
        if self.falls:
            self.loss_scale /= 2


class Scalers(unittest.TestCase):
    def setUp(self):
        self.out = Out()
        self.live = live.Live(self.out, lambda what, error: self.fail("%s: %s" % (what, error)))
        self.stepping = steps.Guard(self.live)
        clips = types.SimpleNamespace(watched=lambda: False, loss_scaled=lambda s: None, scale_asked=lambda s: None, after_step=lambda s: None)
        self.guard = ownscaler.Guard(self.live, self.stepping, clips)
        self.optimizer = Optimizer()
        self.cls = type("OwnScaler", (Scaler,), dict(Scaler.__dict__))
        self.guard.wrap(self.cls)
        self.scaler = self.cls()
        self.scaler.made = lambda: self.stepping.ledger(self.optimizer).direct()

    def turn(self, overflow=False, falls=False):
        self.scaler.overflow, self.scaler.falls = overflow, falls
        self.scaler.scale(1.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def totals(self):
        ledger = self.stepping.ledger(self.optimizer)
        return ledger.attempted, ledger.applied, ledger.skipped

    def test_steps_that_were_thrown_away(self):
        self.turn(overflow=True, falls=True)
        self.turn()
        self.turn(overflow=True, falls=True)
        self.turn()
        self.assertEqual(self.totals(), (4, 2, 2))
        skips = [d for kind, d in self.out.rows if kind == "skip"]
        self.assertEqual([(s["from"], s["until"], s["scale"]) for s in skips], [(1, 1, 8.0), (3, 3, 4.0)])

    def test_one_that_is_put_off_is_none(self):
        self.turn(overflow=True)  # finite gradients, and the scale stays: it gathers several into one
        self.turn()
        self.assertEqual(self.totals(), (1, 1, 0))

    def test_gradients_that_are_not_finite(self):
        bad = types.SimpleNamespace(isfinite=lambda: types.SimpleNamespace(all=lambda: False))
        self.optimizer.param_groups[0]["params"] = [types.SimpleNamespace(grad=bad)]
        with mock.patch.object(ownscaler.gate, "plain", lambda t: t is bad):
            self.turn(overflow=True)  # a scale that hysteresis holds
        self.assertEqual(self.totals(), (1, 0, 1))

    def test_what_is_not_an_optimizer_is_no_step(self):
        self.scaler.made = lambda: None
        self.scaler.step("left")
        self.assertEqual(self.stepping.ledgers, {})

    def test_the_scale_among_its_numbers(self):
        self.assertEqual(ownscaler.scale_of(self.scaler), 8.0)
        self.assertIsNone(ownscaler.scale_of(types.SimpleNamespace(init_scale=2.0, scale_window=100, max_loss_scale=1e9)))


class Looking(unittest.TestCase):
    def guard(self):
        problems = []
        made = live.Live(Out(), lambda what, error: problems.append(error))
        training = types.SimpleNamespace(begun=events.Event())
        met = []
        g = handwritten.Guard(made, steps.Guard(made), training, types.SimpleNamespace(listeners=[]), types.SimpleNamespace(outputs=[]), None, None)
        g.meet = lambda cls, value: met.append(cls)
        return g, met, training

    def test_what_functions_and_their_objects_hold(self):
        g, met, _ = self.guard()
        scaler = Scaler()
        holder = types.SimpleNamespace()
        me = Words({0: "a"})
        me.parts = scaler
        frame = types.SimpleNamespace(f_code=types.SimpleNamespace(co_flags=1), f_globals={"__name__": "train"}, f_locals={"self": me, "n": 3, "h": holder}, f_back=None)
        g.look(frame)
        self.assertIn(Scaler, met)
        self.assertIn(Words, met)
        n = len(met)
        g.look(frame)
        self.assertEqual(len(met), n)  # a class is met once

    def test_it_looks_ever_more_rarely_and_leaves(self):
        g, _, training = self.guard()
        looks = []
        g.look = looks.append
        while g.backward in training.begun:
            g.backward(None)
        self.assertEqual(len(looks), 7)


class Kinds(unittest.TestCase):
    def test_scalers(self):
        nothing = types.SimpleNamespace(nn=types.SimpleNamespace(Module=type("Module", (), {})))
        with mock.patch.dict(sys.modules, torch=nothing):
            self.assertTrue(ownscaler.is_scaler(Scaler))
            self.assertFalse(ownscaler.is_scaler(Words))
            self.assertTrue(handwritten.is_tokenizer(Words, Words({0: "a", 1: "b"})))
            self.assertFalse(handwritten.is_tokenizer(Words, Words({"mean": 0.5})))
            self.assertFalse(handwritten.is_tokenizer(Scaler, Scaler()))


if __name__ == "__main__":
    unittest.main()
