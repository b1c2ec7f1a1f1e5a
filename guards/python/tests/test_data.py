"""Which passes of a loader train, on stand-ins."""

import tempfile
import types
import unittest

from trainvet import data, live, overlap


class Out:
    def __init__(self):
        self.rows = []

    def write(self, kind, data, place=None):
        self.rows.append(data)


class Dataset(list):
    """Something that can be referred to."""


class Sampler:
    pass


class RandomSampler(Sampler):
    pass


class DataLoader:
    def __init__(self, dataset):
        self.dataset, self.sampler, self.batch_sampler = dataset, RandomSampler(), None
        self.batch_size, self.num_workers = 4, 0


class Case(unittest.TestCase):
    def setUp(self):
        self.live = live.Live(Out(), lambda what, error: self.fail("%s: %s" % (what, error)))
        self.training = types.SimpleNamespace(backwards=0)
        self.guard = data.Guard(self.live, self.training, tempfile.gettempdir())

    def begin(self, held):
        found = self.guard.opens(held)
        self.guard.look(found, {"epoch": found.epoch, "worker": 0, "nth": 1, "of": [found.epoch], "n": 4, "items": [], "streams": {}})
        return found


class Passes(Case):
    def test_one_without_gradients_is_not_held_against_those_that_train(self):
        held = DataLoader(Dataset(range(8)))
        first = self.begin(held)
        self.begin(held)
        first.skip()
        self.guard.look(first, {"epoch": 2, "n": 4})  # its second batch
        self.begin(held)
        self.assertEqual(sorted(first.looks), [1, 3])

    def test_one_that_trained_is_told_of_while_it_is_there(self):
        told = []
        self.guard.trained.append(lambda l: told.append(l.ref() is not None))
        found = self.begin(DataLoader(Dataset(range(8))))
        found.used = 2
        held = DataLoader(Dataset(range(8)))
        found.use(held)
        self.guard.exhausted(found)
        self.assertEqual(told, [True])

    def test_parts_are_known_of_some(self):
        guard = overlap.Guard(self.live, self.guard)
        held = [DataLoader(Dataset(range(8))) for _ in range(2 * overlap.PARTS)]
        for one in held:
            guard.remember(self.guard.opens(one))
        self.assertEqual(len(guard.parts), overlap.PARTS)


if __name__ == "__main__":
    unittest.main()
