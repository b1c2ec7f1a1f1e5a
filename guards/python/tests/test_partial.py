"""Which part of its set an evaluation looked at, on stand-ins of loaders."""

import types
import unittest
import weakref

from trainvet import live, loaders, partial


class Out:
    def __init__(self):
        self.rows = []

    def write(self, kind, data, place=None):
        self.rows.append((data["code"], data["effect"], data["from"], data["until"], data["text"]))


class Loader:
    _dataset_kind = 0

    def __init__(self, n, size, drop_last=False, sampler=None):
        self.dataset, self.batch_size, self.drop_last = range(n), size, drop_last
        self.sampler = range(n) if sampler is None else sampler


class Case(unittest.TestCase):
    def setUp(self):
        self.out = Out()
        self.live = live.Live(self.out, lambda what, e: self.fail("%s: %r" % (what, e)))
        self.live.step = 16
        self.loaders = types.SimpleNamespace(opened=[], ended=[], latest=None)
        self.evaluates = True
        self.guard = partial.Guard(self.live, self.loaders, lambda: self.evaluates)
        self.kept = []

    def run_through(self, loader, batches=None):
        """A pass over a loader, or over its first batches."""
        drawn = loaders.Pass(loader)
        self.kept.append(loader)
        for told in self.loaders.opened:
            told(drawn)
        whole = -(-drawn.whole // drawn.size)
        drawn.batches = whole if batches is None else batches
        if batches is None:
            for told in self.loaders.ended:
                told(drawn)

    def found(self):
        return [r[:4] for r in self.out.rows]


class Passes(Case):
    def test_a_whole_set(self):
        self.run_through(Loader(60, 16))
        self.run_through(Loader(64, 16, drop_last=True))
        self.assertEqual(self.found(), [])

    def test_a_batch_is_dropped(self):
        loader = Loader(60, 16, drop_last=True)
        self.run_through(loader)
        self.live.step = 32
        self.run_through(loader)
        self.assertEqual(self.found(), [("incomplete-evaluation", "degrade", 16, 16), ("incomplete-evaluation", "degrade", 32, 32)])
        self.assertIn("48 of 60", self.out.rows[0][4])

    def test_more_often_than_is_told(self):
        """Whatever is not told for itself is covered by the last one that was."""
        loader = Loader(60, 16, drop_last=True)
        for step in range(1, partial.MAX_SAID + 10):
            self.live.step = step
            self.run_through(loader)
        self.assertEqual(len(self.out.rows), partial.MAX_SAID)
        self.assertEqual(self.found()[-1], ("incomplete-evaluation", "degrade", partial.MAX_SAID, live.NONE))

    def test_next_to_nothing_is_missing(self):
        loader = Loader(250, 16, drop_last=True)
        self.run_through(loader)
        self.run_through(loader)
        self.assertEqual(self.found(), [("incomplete-evaluation", "note", 16, -1)])

    def test_a_part_that_was_chosen_is_the_set(self):
        self.run_through(Loader(100, 10, drop_last=True, sampler=range(30)))
        self.assertEqual(self.found(), [])

    def test_a_training_is_none(self):
        self.evaluates = False
        self.run_through(Loader(60, 16, drop_last=True))
        self.assertEqual(self.found(), [])

    def test_a_loop_that_leaves(self):
        loader = Loader(500, 10)
        self.run_through(loader, 5)
        self.run_through(loader)
        self.guard.left()
        self.assertEqual(self.found(), [("incomplete-evaluation", "note", 16, -1)])
        self.assertIn("50 of 500 samples: the loop left it", self.out.rows[0][4])

    def test_a_loop_that_leaves_with_the_last_batch(self):
        self.run_through(Loader(50, 10), 5)
        self.guard.left()
        self.assertEqual(self.found(), [])

    def test_a_look_before_the_training(self):
        self.live.step = -1
        self.run_through(Loader(500, 10), 2)
        self.guard.left()
        self.assertEqual(self.found(), [])


class FirstStep(Case):
    def test_sets_beside_the_one_that_trains(self):
        trains, split, part = Loader(100, 10), Loader(40, 10), Loader(90, 10, sampler=range(30))
        self.loaders.latest = loaders.Pass(trains)
        self.guard.made = [weakref.ref(l) for l in (trains, split, part)]
        self.assertEqual(self.guard.facts(), {"evaluation set": "40 and 30 of 90"})
        self.guard.made = self.guard.made[:1]
        self.assertEqual(self.guard.facts(), {})


if __name__ == "__main__":
    unittest.main()
