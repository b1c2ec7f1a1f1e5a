"""The checks that look into what a model does, as far as they are logic, on
stand-ins."""

import os
import sys
import tempfile
import types
import unittest

from trainvet import contract, events, initial, live, moves, noise, precision, provenance, stacks, steps, underflow, wrapping


class Out:
    def __init__(self):
        self.rows = []

    def write(self, kind, data, place=None):
        self.rows.append(data)

    def place(self):
        return None


class Case(unittest.TestCase):
    def setUp(self):
        self.out = Out()
        self.live = live.Live(self.out, lambda what, error: self.fail("%s: %s" % (what, error)))

    def found(self):
        return [(r["code"], r["effect"]) for r in self.out.rows]


class Declared(unittest.TestCase):
    def test_what_says_that_it_is_frozen(self):
        for name in ("frozen", "frozen_stages", "freeze_encoder", "_freeze_backbone", "is_frozen"):
            self.assertTrue(moves.FROZEN.match(name) and not moves.LATER.search(name), name)
        for name in ("unfreeze", "freeze_epochs", "freeze_after", "freeze_bn", "frozen_norm", "freeze_prob", "freezer", "freeze_until_step"):
            self.assertFalse(moves.FROZEN.match(name) and not moves.LATER.search(name), name)

    def test_what_is_said(self):
        self.assertTrue(all(map(moves.says_so, (True, 2, ["layer1"], (0, 1)))))
        self.assertFalse(any(map(moves.says_so, (False, 0, -1, None, [], "no", 0.5, [object()]))))


class Gradient:
    def __init__(self, version=0):
        self._version = version


class Unused(unittest.TestCase):
    def watched(self):
        optimizer = type("Optimizer", (), {"param_groups": []})()
        self.p = type("Parameter", (), {"grad": None})()
        self.keep = optimizer
        w = moves.Watched(optimizer, types.SimpleNamespace(held=lambda: [self.p], attempted=1, skipped=0, backwards=0))
        w.stepped()
        w.since_step()
        return w

    def test_made_anew_or_added_to(self):
        w = self.watched()
        self.assertFalse(w.fresh_gradient())
        self.p.grad = Gradient()
        self.assertTrue(w.fresh_gradient())
        self.p.grad._version = 1  # more was added
        self.assertFalse(w.fresh_gradient())
        self.p.grad._version = 3  # cleared, and added to
        self.assertTrue(w.fresh_gradient())
        self.p.grad = Gradient()
        self.assertTrue(w.fresh_gradient())

    def test_looks_grow_rare(self):
        w = self.watched()
        self.assertTrue(w.due(5))
        self.assertLessEqual(sum(map(w.due, range(1 << 12, 1 << 13))), 8)

    def test_it_is_looked_at_only_where_the_steps_are(self):
        w = self.watched()
        ledger = steps.Ledger(self, self.keep, "SGD")
        self.assertEqual([n for n in range(1, 1 << 14) if w.due(n) and not ledger.turn(n)], [])


class Node:
    def __init__(self, name, dtype=None, *inner):
        self.title, self.next_functions = name, tuple((i, 0) for i in inner)
        if dtype:
            self._input_metadata = [types.SimpleNamespace(dtype=dtype)]

    def name(self):
        return self.title


class Precision(Case):
    def setUp(self):
        super().setUp()
        self.guard = precision.Guard(self.live, types.SimpleNamespace(watchers=events.Event()), types.SimpleNamespace(listeners=[]))

    def losses(self, entered, *types_):
        for k in range(precision.LOOKED_AT):
            node = Node("NllLossBackward0", "torch.float32")
            for t in types_:
                node = Node("AddmmBackward0", t, node)
            self.guard.entered = entered
            self.guard.loss(types.SimpleNamespace(grad_fn=node))
        return self.found()

    def test_nothing_of_it_was_heard(self):
        found = self.losses("torch.bfloat16", "torch.float32", "torch.float32")
        self.assertIn(("precision-not-applied", "note"), found)
        self.assertEqual({r["metric"] for r in self.out.rows if r["effect"] == "degrade"}, set(precision.FAST))

    def test_a_part_in_float32(self):
        self.assertEqual(self.losses("torch.bfloat16", "torch.bfloat16", "torch.float32"), [])

    def test_nobody_asked(self):
        self.assertEqual(self.losses(None, "torch.float32"), [])

    def test_no_products(self):
        self.assertEqual(self.losses("torch.bfloat16"), [])

    def test_the_other_half(self):
        self.guard.asked = lambda: "bfloat16"
        self.assertEqual(self.losses("torch.float16", "torch.float16"), [("precision-differs", "degrade")])

    def test_arguments_name_it(self):
        for values, want in (({"bf16": True}, "bfloat16"), ({"fp16": True, "bf16": False}, "float16"), ({"mixed_precision": "bf16"}, "bfloat16"), ({"precision": "16-mixed"}, "float16"),
                             ({"dtype": "torch.bfloat16"}, "bfloat16"), ({"bf16": True, "fp16": True}, None), ({"bf16": False}, None), ({"precision": 4}, None), ({"fp16_opt_level": "O1"}, None)):
            self.assertEqual(precision.asked_by(values), want, values)


class Ids:
    def __init__(self, *rows):
        self.rows, self.ndim, self.shape = [list(r) for r in rows], 2, (len(rows), len(rows[0]))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, key):
        return Ids(*self.rows[key])

    def tolist(self):
        return self.rows


class Contract(Case):
    def setUp(self):
        super().setUp()
        self.plain, contract.gate.plain = contract.gate.plain, lambda t: True
        self.torch = sys.modules.get("torch")
        sys.modules["torch"] = types.SimpleNamespace(Tensor=Ids)

    def tearDown(self):
        contract.gate.plain = self.plain
        sys.modules.pop("torch")
        if self.torch is not None:
            sys.modules["torch"] = self.torch

    def test_tokens_behind_the_prompt(self):
        prompt = Ids([5, 6, 7, 8])
        self.assertEqual(contract.new_tokens(Ids([5, 6, 7, 8, 1, 2]), prompt, {}, True), 2)
        self.assertEqual(contract.new_tokens(Ids([7, 8, 1, 2, 3]), prompt, {}, True), 3)  # it was trimmed
        self.assertEqual(contract.new_tokens(Ids([0, 1, 2]), None, {}, False), 2)  # a start token
        self.assertEqual(contract.new_tokens(Ids([5, 6, 7, 8, 1], [5, 6, 7, 8, 2]), prompt, {}, True), 1)  # two beams

    def generated(self, out, *args, **kwargs):
        model = types.SimpleNamespace(config=types.SimpleNamespace(is_encoder_decoder=False))
        contract.Guard(self.live).generated(model, out, args, kwargs)
        return self.found()

    def test_more_than_asked(self):
        self.assertEqual(self.generated(Ids([5, 6, 1, 2, 3]), Ids([5, 6]), max_new_tokens=2), [("generated-more", "degrade")])

    def test_as_many(self):
        self.assertEqual(self.generated(Ids([5, 6, 1, 2]), Ids([5, 6]), max_new_tokens=2), [])
        self.assertEqual(self.generated(Ids([5, 6, 1, 2]), Ids([5, 6]), max_length=4), [])
        self.assertEqual(self.generated("text", Ids([5, 6]), max_new_tokens=2), [])

    def test_the_configuration_asks(self):
        config = types.SimpleNamespace(max_new_tokens=1)
        self.assertEqual(self.generated(Ids([5, 6, 1, 2]), inputs=Ids([5, 6]), generation_config=config), [("generated-more", "degrade")])


class Drops(unittest.TestCase):
    def op(self, name, *args, **kwargs):
        names = {"bernoulli_": ("self", "p"), "native_dropout": ("input", "p", "train"), "attention": ("q", "dropout_p"), "lstm": ("input", "dropout", "train"), "normal_": ("self", "std")}[name]
        schema = types.SimpleNamespace(name="aten::" + name, arguments=[types.SimpleNamespace(name=n, default_value=None) for n in names])
        return bool(noise.drops(types.SimpleNamespace(_schema=schema), args, kwargs))

    def test_dropout(self):
        self.assertTrue(self.op("bernoulli_", 0, 0.9) and self.op("native_dropout", 0, 0.1, True) and self.op("attention", 0, dropout_p=0.1) and self.op("lstm", 0, 0.5, True))

    def test_what_is_none(self):
        self.assertFalse(self.op("bernoulli_", 0, 1.0) or self.op("bernoulli_", 0, object()) or self.op("native_dropout", 0, 0.1, False) or self.op("attention", 0, 0.0))
        self.assertFalse(self.op("lstm", 0, 0.5, False) or self.op("normal_", 0, 1.0) or noise.drops(object(), (), {}))


class Drawn(Case):
    def guard(self):
        nothing = types.SimpleNamespace(beginning=[], listeners=[], watchers=[])
        return initial.Guard(self.live, nothing, nothing, types.SimpleNamespace(modes=nothing))

    def test_once_for_each_module_around(self):
        guard, p, q = self.guard(), object(), object()
        for _ in range(4):
            guard.drew(p, "normal_", (0.0, 0.02), {})
        for std in (0.02, 0.02, 0.1):
            guard.drew(q, "normal_", (), {"std": std})
        guard.drawn_again([("p", p), ("q", q)])
        self.assertEqual(self.found(), [("initialised-again", "note")])
        self.assertEqual(self.out.rows[0]["name"], "p")

    def test_a_drawing_within_a_drawing_is_one(self):
        guard = self.guard()
        inner = guard.counting(lambda t, *a: None, "uniform_")
        outer = guard.counting(lambda t, *a: inner(t), "kaiming_uniform_")
        p = object()
        outer(p)
        self.assertEqual([k for k, _ in guard.drawn[id(p)]], ["kaiming_uniform_"])


class Wrapping(Case):
    def numbered(self, change):
        modules = [type("Part", (), {})() for _ in range(3)]
        for n, m in enumerate(modules):
            m.id, m.rate, m.cache = n, 0.1, True
        inner = type("Model", (), {"modules": lambda self: modules})()
        guard = wrapping.Guard(self.live, types.SimpleNamespace(watchers=[]))
        wrapped = wrapping.Wrapped(inner, inner)
        for n, m in enumerate(modules):
            change(n, m)
        guard.compare(wrapped)
        return self.found()

    def test_numbers_for_a_purpose_of_its_own(self):
        self.assertEqual(self.numbered(lambda n, m: setattr(m, "id", 100 + n)), [("attribute-overwritten", "degrade")])

    def test_settings_that_are_switched_for_all(self):
        self.assertEqual(self.numbered(lambda n, m: m.__dict__.update(rate=0.0, cache=False)), [])

    def test_places_that_are_counted_anew(self):
        self.assertEqual(self.numbered(lambda n, m: setattr(m, "rate", n)), [])

    def test_attributes_of_its_own(self):
        self.assertEqual(self.numbered(lambda n, m: setattr(m, "engine_id", n)), [])

    def test_one_that_the_trainer_sets(self):
        self.assertEqual(self.numbered(lambda n, m: n or setattr(m, "rate", 0.5)), [])


class Stepping:
    def __init__(self):
        self.before, self.seldom_before = events.Event(), events.Event()

    def leave(self, f):
        self.before.leave(f)
        self.seldom_before.leave(f)


class Stacks(Case):
    TEXT = '''Timeout (0:05:00)!
Thread 0x00007f (most recent call first):
  File "/usr/lib/python3.11/threading.py", line 320 in wait
  File "/home/me/worker.py", line 9 in run

Thread 0x00007e (most recent call first):
  File "/venv/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py", line 83 in all_reduce
  File "/home/me/train.py", line 40 in evaluate
  File "/home/me/train.py", line 90 in <module>
'''

    def test_the_trainers_line_of_the_main_thread(self):
        self.assertEqual(stacks.place(self.TEXT), "/home/me/train.py:40 in evaluate")
        self.assertEqual(stacks.place(""), "")

    def guard(self, folder):
        armed = []
        guard = stacks.Guard(self.live, Stepping(), folder)
        module = types.SimpleNamespace(dump_traceback_later=lambda *args, **kwargs: armed.append(args or kwargs), cancel_dump_traceback_later=lambda: armed.append("cancel"))
        guard.faulthandler(module)
        return guard, module, armed

    def test_an_empty_file_does_not_stay(self):
        with tempfile.TemporaryDirectory() as folder:
            guard, _, armed = self.guard(folder)
            guard.beat(None)
            guard.beat(None)
            self.assertEqual(len(os.listdir(folder)), 1)
            self.assertEqual(len(armed), 1)  # not at each step
            guard.end()
            self.assertEqual((os.listdir(folder), armed[-1]), ([], "cancel"))

    def test_short_steps_are_looked_at_seldom(self):
        with tempfile.TemporaryDirectory() as folder:
            guard, _, _ = self.guard(folder)
            stepping = guard.stepping
            for _ in range(10):
                guard.beat(None)
                self.live.step += 1
            self.assertEqual((guard.beat in stepping.before, guard.beat in stepping.seldom_before), (False, True))
            guard.last -= 0.1
            guard.longest = 1.0
            guard.armed -= stacks.REARMED
            guard.beat(None)  # the clock is set anew
            self.assertEqual((guard.beat in stepping.before, guard.beat in stepping.seldom_before), (True, False))
            guard.last -= 0.1
            guard.beat(None)
            self.assertIn(guard.beat, stepping.before)
            guard.end()

    def test_a_time_in_which_steps_were_made_is_no_stand(self):
        for steps, said in ((1, [("no-step-for-long", "note")]), (31, [])):
            with tempfile.TemporaryDirectory() as folder:
                guard, _, _ = self.guard(folder)
                self.live.step = 1
                guard.beat(None)
                guard.file.write(self.TEXT)
                guard.last -= 2 * stacks.PATIENCE
                self.live.step += steps
                guard.beat(None)
                guard.end()
                self.assertEqual((self.found(), len(os.listdir(folder))), (said, len(said)), steps)
                self.setUp()

    def test_a_trainer_that_uses_it_keeps_it(self):
        with tempfile.TemporaryDirectory() as folder:
            guard, module, armed = self.guard(folder)
            module.dump_traceback_later(10)
            guard.beat(None)
            guard.end()
            self.assertEqual((os.listdir(folder), armed), ([], [(10,)]))

    def test_patience_is_asked_of_the_environment(self):
        kept = os.environ.pop(stacks.VARIABLE, None)
        try:
            for text, want in (("", stacks.PATIENCE), ("5", 5.0), ("0", 0.0), ("-1", 0.0), ("soon", stacks.PATIENCE)):
                os.environ[stacks.VARIABLE] = text
                if not text:
                    del os.environ[stacks.VARIABLE]
                self.assertEqual(stacks.patience(), want, text)
        finally:
            os.environ.pop(stacks.VARIABLE, None)
            if kept is not None:
                os.environ[stacks.VARIABLE] = kept


class Names(unittest.TestCase):
    def test_some_of_many(self):
        self.assertEqual(provenance.names(["a"]), "a is")
        self.assertEqual(provenance.names(["a", "b"]), "a, b are")
        self.assertEqual(provenance.names(list("abcdef")), "a, b, c, d and 2 more are")

    def test_three_stand_for_all(self):
        self.assertEqual([underflow.three(list(range(n))) for n in (0, 1, 2, 9)], [[], [0], [0, 1], [0, 4, 8]])


if __name__ == "__main__":
    unittest.main()
