"""Which samples were in the last batch, on a stand-in of torch's loader."""

import types
import unittest

from trainvet import loaders, samples


class Iter:
    """As torch's with workers does: some lists of indices are drawn ahead."""

    def __init__(self, order, ahead=0):
        self.ahead = ahead
        self._reset(order)

    def _reset(self, order):
        self.order, self.made = iter(order), []
        for _ in range(self.ahead):
            self.made.append(self._next_index())

    def _next_index(self):
        return next(self.order)

    def __next__(self):
        try:
            self.made.append(self._next_index())
        except StopIteration:
            pass
        if not self.made:
            raise StopIteration
        return self.made.pop(0)


class Samples(unittest.TestCase):
    def setUp(self):
        original = dict(vars(Iter))
        self.addCleanup(lambda: [setattr(Iter, n, original[n]) for n in ("_next_index", "_reset")])
        self.loaders = types.SimpleNamespace(latest=None)
        self.guard = samples.Guard(None, self.loaders)
        self.guard.actions()["torch.utils.data.dataloader"](types.SimpleNamespace(_BaseDataLoaderIter=Iter))
        self.loader = type("DataLoader", (), {"_dataset_kind": 1})()

    def draw(self, it):
        """A batch, and what is said of it."""
        batch = next(it)
        it.trainvet_pass.batches += 1
        self.loaders.latest = it.trainvet_pass
        return " ".join(map(str, batch)), self.guard.last()

    def run_through(self, it, n):
        it.trainvet_pass = loaders.Pass(self.loader)
        for k in range(n):
            batch, said = self.draw(it)
            self.assertEqual(said, ["%s of batch %d of the pass" % (batch, k + 1)])

    def test_batches_one_by_one(self):
        self.run_through(Iter([[3, 1], [2, 0], [5, 4]]), 3)

    def test_batches_that_workers_made_ahead(self):
        it = Iter([[i] for i in range(20)], ahead=4)
        self.run_through(it, 20)
        it._reset([[i] for i in range(30, 40)])
        self.run_through(it, 10)

    def test_so_many_that_some_are_named(self):
        it = Iter([list(range(40))])
        it.trainvet_pass = loaders.Pass(self.loader)
        _, said = self.draw(it)
        self.assertTrue(said[0].endswith("15 and 24 more of batch 1 of the pass"), said)

    def test_nothing_was_drawn(self):
        self.assertEqual(self.guard.last(), [])

    def test_a_long_epoch(self):
        self.run_through(Iter([[i] for i in range(3 * samples.KEPT)]), 3 * samples.KEPT)

    def test_what_is_too_long_ago(self):
        trail = samples.Trail()
        self.assertIsNone(trail.of(1))
        for i in range(samples.KEPT + 1):
            trail.n += 1
            trail.lists.append([i])
        self.assertIsNone(trail.of(1))
        self.assertEqual(trail.of(2), [1])


if __name__ == "__main__":
    unittest.main()
