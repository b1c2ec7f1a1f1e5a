"""Functions that a trainer hands to its workers are pickled by their names."""

import pickle
import random
import unittest

from trainvet import fetches


class Seeds(unittest.TestCase):
    def setUp(self):
        self.addCleanup(setattr, random, "seed", random.seed)

    def test_a_watched_seed_is_pickled(self):
        fetches.Fetches(None).seeds(random, "seed", "random")
        self.assertIs(pickle.loads(pickle.dumps(random.seed)), random.seed)

    def test_a_watched_seed_seeds(self):
        fetches.Fetches(None).seeds(random, "seed", "random")
        random.seed(7)
        first = random.random()
        random.seed(7)
        self.assertEqual(first, random.random())


if __name__ == "__main__":
    unittest.main()
