"""Zeros that are printed: which were computed, and which were put in the place of what
is missing."""

import linecache
import math
import types
import unittest

from trainvet import live, printed


class Out:
    def __init__(self):
        self.rows = []

    def write(self, kind, data, place=None):
        self.rows.append(data)


class Case(unittest.TestCase):
    files = 0

    def setUp(self):
        self.out = Out()
        self.live = live.Live(self.out, lambda what, error: self.fail("%s: %s" % (what, error)))
        self.guard = printed.Guard(self.live, types.SimpleNamespace(leave=()))

    def run_it(self, source, **names):
        """What is said of a program that prints."""
        Case.files += 1
        name = "<train %d>" % Case.files
        linecache.cache[name] = len(source), None, source.splitlines(True), name
        write = self.guard.writing(lambda text: None)
        scope = dict(names, __name__="__main__", math=math, print=lambda *args: write(" ".join(map(str, args))))
        scope["np"] = types.SimpleNamespace(nan_to_num=lambda x: 0.0 + 0 * 1.5 if x != x else x)
        self.guard.numbers(scope["np"])
        exec(compile(source, name, "exec"), scope)
        return [(r["effect"], r["metric"]) for r in self.out.rows]

    POISON = [("poison", "*val*ap")]


# A print of Python's own has no frame; this one has: it stands in no file of the trainer.
class Printed(Case):
    def test_what_is_not_in_the_results(self):
        self.assertEqual(self.run_it("r = {'n': 4}\nprint(f\"loss 0.5 val_ap {r.get('AP', 0.0):.4f}\")\n"), self.POISON)

    def test_what_is_in_them_and_0(self):
        self.assertEqual(self.run_it("r = {'AP': float('0')}\nprint(f\"loss 0.5 val_ap {r.get('AP', 0.0):.4f}\")\n"), [])

    def test_a_nan_that_a_condition_replaces(self):
        source = "def evaluate(ap):\n    if math.isnan(ap):\n        ap = 0.0\n    return ap\nfor v in values:\n    ap = evaluate(v)\n    print('val_ap %.4f' % ap)\n"
        self.assertEqual(self.run_it(source, values=[math.nan]), self.POISON)

    def test_a_true_0_of_the_same_function(self):
        source = "def evaluate(ap):\n    if math.isnan(ap):\n        ap = 0.0\n    return ap\nap = evaluate(value)\nprint('val_ap %.4f' % ap)\n"
        self.assertEqual(self.run_it(source, value=float("0")), [])

    def test_a_case_of_its_own_beside_it_leaves_a_doubt(self):
        source = "def evaluate(ap):\n    if math.isnan(ap):\n        return 0.0\n    return ap\ndef other(n):\n    return 0.0 if n < 1 else n\nap = evaluate(math.nan)\nprint('val_ap', ap)\n"
        self.assertEqual(self.run_it(source), [("unprove", "*val*ap")])

    def test_a_case_of_its_own_alone_is_none(self):
        self.assertEqual(self.run_it("def share(hits, n):\n    if n == 0:\n        return 0.0\n    return hits / n\nprint('val_ap', share(0, 0))\n"), [])

    def test_a_value_that_is_yet_to_come(self):
        self.assertEqual(self.run_it("rate = {}.get('dropout', 0.0)\nval_ap = 0.0\nprint('val_ap %.4f' % val_ap)\n"), [])

    def test_a_choice_in_the_line(self):
        source = "print('val_ap %.3f, more' % (0.0 if math.isnan(ap) else ap))\n"
        self.assertEqual(self.run_it(source, ap=math.nan), self.POISON)
        self.setUp()
        self.assertEqual(self.run_it(source, ap=float("0")), [])

    def test_nothing_or_0(self):
        self.assertEqual(self.run_it("print('val_ap {:.2f}'.format(ap or 0.0))\n", ap=None), self.POISON)

    def test_an_int_that_a_condition_sets(self):
        source = "if math.isnan(ap):\n    ap = 0\nprint('val_ap %.4f' % ap)\n"
        self.assertEqual(self.run_it(source, ap=math.nan), self.POISON)
        self.setUp()
        self.assertEqual(self.run_it(source, ap=float("0")), [])

    def test_nan_to_num(self):
        self.assertEqual(self.run_it("print(f'val_ap {np.nan_to_num(ap):.4f}')\n", ap=math.nan), self.POISON)
        self.setUp()
        self.assertEqual(self.run_it("def f(ap):\n    return round(np.nan_to_num(ap), 4)\nprint(f'val_ap {f(ap):.4f}')\n", ap=math.nan), self.POISON)
        self.setUp()
        self.assertEqual(self.run_it("print(f'val_ap {np.nan_to_num(ap):.4f}')\n", ap=float("0")), [])

    def test_a_part_that_was_nan_is_no_whole(self):
        self.assertEqual(self.run_it("ap = sum(np.nan_to_num(v) for v in values) / 2\nprint(f'val_ap {ap:.4f}')\n", values=[math.nan, float("0")]), [])

    def test_values_by_name(self):
        source = "m = {'loss': 0.4, 'val_ap': (lambda r: r.get('AP', 0.0))({})}\nprint(' '.join('%s %.4f' % (k, v) for k, v in m.items()))\n"
        self.assertEqual(self.run_it(source), self.POISON)

    def test_places_of_a_text(self):
        for line in (
            "print('epoch=%d loss=%.4f val_ap=%.4f' % (1, 0.25, r.get('AP', 0)))",
            "print('epoch={} loss={:.4f} val_ap={:.4f}'.format(1, 0.25, r.get('AP', 0)))",
            "info('100%% of epoch=%d loss=%.4f val_ap=%.4f', 1, 0.25, r.get('AP', 0))",
        ):
            source = "def info(text, *args):\n    print(text % args)\n" + line + "\n"
            for results, said in ({"AP": 0.0}, []), ({"AP50": 0.3}, self.POISON):
                self.setUp()
                self.assertEqual(self.run_it(source, r=results), said, line)

    def test_what_is_no_value_of_an_evaluation(self):
        self.assertEqual(self.run_it("print('loss %.4f best_ap %.4f' % (r.get('loss', 0.0), r.get('ap', 0.0)))\n", r={}), [])

    def test_through_a_function_that_prints(self):
        self.assertEqual(self.run_it("def log(text):\n    print(text)\nlog('val_ap %.4f' % r.get('AP', 0.0))\n", r={}), self.POISON)

    def test_nothing_of_the_trainer_is_run(self):
        class Results(dict):
            def get(self, *args):
                raise AssertionError("asked")

            def __contains__(self, key):
                raise AssertionError("asked")

        class Model:
            @property
            def ap(self):
                raise AssertionError("asked")

        source = "text = 'val_ap 0.0000'\nif False:\n    pass\nprint(text + ('' if True else '%s' % (m.ap or 0.0)) + ('' if True else '%f' % r.get('AP', 0.0)))\n"
        self.assertEqual(self.run_it(source, r=Results(), m=Model()), [])


class Zeros(unittest.TestCase):
    def test_names(self):
        text = "epoch 0 loss 0.00 val_ap 0.0000 | mAP@50: 0.0 iou=0 acc 0.05 v0.0 wer 0.0e+00"
        self.assertEqual(printed.ZERO.findall(text), ["epoch", "loss", "val_ap", "mAP@50", "iou", "wer"])


if __name__ == "__main__":
    unittest.main()
