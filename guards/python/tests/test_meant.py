"""What asks for the same random numbers for each sample, and what does not."""

import types
import unittest

from trainvet import meant


def of(**held):
    return types.SimpleNamespace(**held)


class Meant(unittest.TestCase):
    def test_what_asks_for_it(self):
        for data, value in ((of(deterministic=True), "1"), (of(transform=of(is_deterministic=True)), "1"), (of(seed=7), "7"), (of(dataset=of(transforms=of(transforms=[of(p=1), of(fixed_noise=True)]))), "3"),
                            (of(_augment_seed=3), "3"), (of(aug_seed=0), "0"), (of(transform=[of(random_state=5)]), "5")):
            self.assertTrue(meant.repeated(data, value), data)

    def test_what_does_not(self):
        for data, value in ((of(), "1"), (of(deterministic=False), "1"), (of(seed=8), "7"), (of(seed=True), "1"), (of(fixed_size=True), "1"), (of(n=7, seed_list=[7]), "7"), (of(transform=of(p=7)), "7"),
                            ([1, 2], "1"), (None, "1"), (of(seed=None), "None"), (of(other=of(deterministic=True)), "1")):
            self.assertEqual(meant.repeated(data, value), "", data)

    def test_a_ring(self):
        ring = of()
        ring.dataset = ring
        self.assertEqual(meant.repeated(ring, "1"), "")


if __name__ == "__main__":
    unittest.main()
