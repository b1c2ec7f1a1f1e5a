"""Ids as trainers hold them. Tensors and arrays are tried where the libraries
are: with a real PyTorch."""

import unittest

from trainvet import batch

try:
    import torch
except ImportError:
    torch = None
try:
    import numpy
except ImportError:
    numpy = None


class Lists(unittest.TestCase):
    def test_what_can_be_read(self):
        for ids, n, lo, hi in (
            ([1, 2, 3], 3, 1, 3),
            ((7,), 1, 7, 7),
            (5, 1, 5, 5),
            ([], 0, 0, 0),
            (None, 0, 0, 0),
            ([[1, 2], [3]], 3, 1, 3),
            ([[], [4, -100]], 2, -100, 4),
            ([None, [4]], 1, 4, 4),
            ([[[1], [2]], [[9]]], 3, 1, 9),
            (range(3), 3, 0, 2),
            ([1 << 70], 1, 1 << 70, 1 << 70),
        ):
            got = batch.read(ids)
            self.assertEqual((got.n, got.lo, got.hi), (n, lo, hi), ids)
            self.assertEqual(sum(len(row) for row in got.rows()), n, ids)

    def test_what_cannot(self):
        used = iter([1, 2])
        for ids in ("text", b"bytes", used, {1: 2}, [0.5], ["a"], [True], object(), [1, "a"]):
            self.assertIsNone(batch.read(ids), ids)
        self.assertEqual(list(used), [1, 2])  # nothing was consumed


@unittest.skipIf(torch is None or numpy is None, "no PyTorch")
class Tensors(unittest.TestCase):
    def test_kinds(self):
        for t, n, bits in (
            (torch.tensor([[1, 2], [3, 4]]), 4, 64),
            (torch.tensor(7, dtype=torch.int32), 1, 32),
            (torch.zeros(0, 3, dtype=torch.int64), 0, 64),
            (numpy.array([[1, 2]], dtype=numpy.int16), 2, 16),
            (numpy.int64(3), 1, 64),
            (numpy.array([[1, 2], [3]], dtype=object), 3, 64),
            ([torch.tensor([1, 2]), torch.tensor([3])], 3, 64),
            ([torch.tensor(1), torch.tensor(2)], 2, 64),
        ):
            got = batch.read(t)
            self.assertEqual((got.n, got.bits), (n, bits), repr(t))
            self.assertEqual(sum(len(row) for row in got.rows()), n, repr(t))

    def test_what_is_left_alone(self):
        class Shard(torch.Tensor):
            pass

        for t in (torch.rand(3), torch.tensor([True]), torch.tensor([1]).to("meta"), torch.tensor([1]).as_subclass(Shard)):
            self.assertIsNone(batch.read(t))


if __name__ == "__main__":
    unittest.main()
