"""What looks at the fetches of workers say of their random numbers, and of what they
yield: no torch is needed to judge."""

import random
import unittest

from trainvet import chance, content, draws


def look(worker, nth=1, of=None, streams=None, items=(), n=8):
    return {"worker": worker, "nth": nth, "n": n, "of": 100 * nth + worker if of is None else of, "streams": streams or {}, "items": list(items)}


def drew(before, moved=8, after=None, trail="12345678", anew=0, seeds=()):
    return [before, after or before + "'", moved, list(trail), anew, list(seeds)]


def found(looks, mapped=True, shuffled=False):
    return [(f.code, f.effect, f.epoch) for f in draws.judge(looks, mapped, shuffled)]


class Workers(unittest.TestCase):
    def test_one_state_for_all(self):
        looks = {1: [look(w, streams={"numpy.random": drew("a")}) for w in range(4)]}
        self.assertEqual(found(looks), [("workers-draw-alike", "degrade", 1)])
        text = next(draws.judge(looks, True, False)).text
        self.assertIn("one part in 4 is new", text)

    def test_states_of_their_own(self):
        self.assertEqual(found({1: [look(w, streams={"numpy.random": drew("abcd"[w])}) for w in range(4)]}), [])

    def test_equal_states_that_nobody_draws_from(self):
        self.assertEqual(found({1: [look(w) for w in range(4)]}), [])

    def test_one_sample_is_chance(self):
        """A list that is shuffled once in each worker, by the same seed."""
        self.assertEqual(found({1: [look(w, streams={"random": drew("a", moved=1)}) for w in range(2)]}), [])
        self.assertEqual(found({e: [look(w, streams={"random": drew("a", moved=1)}) for w in range(2)] for e in (1, 2, 3)}), [])
        self.assertEqual(found({1: [look(w, streams={"random": drew("a", moved=1, trail="")}) for w in range(2)]}), [])

    def test_fetches_whose_samples_are_not_told_apart(self):
        more = [look(w, nth, streams={"random": drew("ab"[nth - 1], moved=1, trail="")}) for w in range(2) for nth in (1, 2)]
        self.assertEqual(found({1: more}), [("workers-draw-alike", "degrade", 1)])

    def test_streams_that_each_sample_seeds(self):
        seeds = [("3", "s"), ("4", "t")]
        self.assertEqual(found({1: [look(w, streams={"torch": drew("a", seeds=seeds)}) for w in range(2)]}), [])
        held = {w: drew("a", trail=["%d%d" % (w, i) for i in range(8)]) for w in range(2)}
        self.assertEqual(found({1: [look(w, streams={"dataset.rng (held)": held[w]}) for w in range(2)]}), [])

    def test_a_stream_that_is_held(self):
        looks = {1: [look(w, streams={"dataset.rng (held)": drew("a", trail=["b", "c", "d"])}) for w in range(2)]}
        self.assertEqual(found(looks), [("workers-draw-alike", "degrade", 1)])

    def test_one_seed_for_each_sample(self):
        same = drew("a", trail=["x"] * 8, after="x", seeds=[("0", "s")] * 8)
        self.assertEqual(found({1: [look(0, streams={"torch": same})]}), [("seed-fixed", "degrade", 1)])
        own = drew("a", trail=list("xyz"), after="z", seeds=[("0", "s"), ("1", "t"), ("2", "u")])
        self.assertEqual(found({1: [look(0, streams={"torch": own})]}), [])
        undrawn = drew("a", trail=["s"] * 8, after="s", seeds=[("0", "s")] * 8)
        self.assertEqual(found({1: [look(0, streams={"torch": undrawn})]}), [])
        once = drew("a", trail=list("xyz"), after="z", seeds=[("0", "s")])
        self.assertEqual(found({1: [look(0, streams={"torch": once})]}), [])


class Epochs(unittest.TestCase):
    def epochs(self, before, of, **kwargs):
        return {e + 1: [look(0, nth, of[e] + nth, {"torch": drew(before[e] + str(nth))} if before[e] else {}, **kwargs) for nth in (1, 2, 3)] for e in range(2)}

    def test_the_same_samples_with_the_same_numbers(self):
        self.assertEqual(found(self.epochs("aa", [1, 1])), [("epochs-draw-alike", "degrade", 2)])

    def test_the_same_numbers_for_others_are_a_note(self):
        self.assertEqual(found(self.epochs("aa", [1, 20])), [("epochs-draw-alike", "note", 2)])

    def test_numbers_of_its_own(self):
        self.assertEqual(found(self.epochs("ab", [1, 1])), [])

    def test_an_order_that_comes_again(self):
        self.assertEqual(found(self.epochs(("", ""), [1, 1]), shuffled=True), [("order-repeated", "note", 2)])
        self.assertEqual(found(self.epochs(("", ""), [1, 1])), [])
        self.assertEqual(found(self.epochs(("", ""), [1, 20]), shuffled=True), [])


class Samples(unittest.TestCase):
    def rows(self, *rows):
        return {1: [look(w, of=0, items=items) for w, items in enumerate(rows)]}

    def test_each_worker_yields_all(self):
        self.assertEqual(found(self.rows("abcdefgh", "abcdefgh"), mapped=False), [("workers-same-data", "degrade", 1)])

    def test_twins(self):
        for rows in (("abcdefgh", "ijklmnop"), ("abcabcab", "abcabcab"), ("aaaaaaaa", "aaaaaaaa"), ("ab", "ab"), (["a", "", "c", "d"], ["a", "", "c", "d"])):
            self.assertEqual(found(self.rows(*rows), mapped=False), [], rows)

    def test_lost(self):
        given = lambda *g: {"given": list(g)}
        self.assertIsNotNone(content.lost([given(8, 1, 128, 16)] * 2))
        for rows in ([given(8, 1, 128, 16)], [given(8, 1, 128, 130)] * 2, [given(8, 7, 128, 112)] * 2, [given(8, 8, 0, 0)] * 2, [{"given": None}] * 2):
            self.assertIsNone(content.lost(rows))


drawn_by_name = random.Random(3)


class Augment:
    def __init__(self):
        self.parts = [{"rng": random.Random(1)}]
        self.me = self

    def __call__(self, x):
        return x + drawn_by_name.random()


class Streams(unittest.TestCase):
    def test_those_that_are_held_are_found(self):
        self.assertEqual(sorted(s.name for s in chance.held([("dataset", Augment())])), ["dataset.parts", "drawn_by_name"])

    def test_closures_and_partials(self):
        import functools

        rng = random.Random(2)
        for f in (lambda i: rng.random() + i, functools.partial(max, rng)):
            self.assertEqual(len(chance.held([("collate_fn", f)])), 1)

    def test_reading_changes_nothing(self):
        rng = random.Random(5)
        stream, = chance.held([("dataset", rng)])
        before = stream.read()
        self.assertEqual(before, stream.read())
        self.assertEqual(rng.random(), random.Random(5).random())
        self.assertNotEqual(before, stream.read())

    def test_nothing_is_called(self):
        class Trap:
            __slots__ = ("a", "b")

            def __init__(self):
                self.a = 1

            def __getattr__(self, name):
                raise RuntimeError(name)

            def __iter__(self):
                raise RuntimeError

        try:
            self.assertEqual(chance.held([("dataset", Trap())]), [])
        except RuntimeError:
            self.fail("an attribute of the trainer's was asked for")


if __name__ == "__main__":
    unittest.main()
