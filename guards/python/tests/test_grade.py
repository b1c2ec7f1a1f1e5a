"""What ids mean, against numbers that stand in reports of real faults."""

import random
import unittest

from trainvet import grade
from trainvet.vocabulary import Vocabulary


def sheet(rows, ids=100, width=0, bits=64, reverse=None):
    vocab = ids if isinstance(ids, Vocabulary) else Vocabulary(range(ids))
    return grade.grade_rows(rows, vocab, width, reverse, bits)


class Grades(unittest.TestCase):
    def test_one_bad_id(self):
        for value, bits, want in (
            (16843009, 32, grade.SIGNATURE),
            (16843009, 64, grade.SIGNATURE),
            (72340172838076673, 64, grade.SIGNATURE),
            (-(1 << 63), 64, grade.SIGNATURE),
            ((9 << 32) + 5, 64, grade.SIGNATURE),  # a stray high word over a valid low one
            (257, 16, grade.UNMAPPED),  # below the rounding of an unknown width
            (1 << 20, 64, grade.IMPOSSIBLE),
            (-1, 64, grade.IMPOSSIBLE),
            (99, 64, grade.MAPPED),
            (100, 64, grade.UNMAPPED),
        ):
            got = sheet([[1, value, 2]], bits=bits)
            self.assertEqual(got.unmapped, int(want == grade.UNMAPPED), value)
            self.assertEqual(got.grade, grade.MAPPED if want == grade.UNMAPPED else want, value)
            if want > grade.UNMAPPED:
                self.assertEqual((got.row, got.column, got.value), (0, 1, value))

    def test_the_width_bounds(self):
        self.assertEqual(sheet([[130]], ids=100, width=128).grade, grade.IMPOSSIBLE)
        self.assertEqual(sheet([[127]], ids=100, width=128).unmapped, 1)

    def test_holes(self):
        vocab = Vocabulary({0, 1, 2, 100})
        self.assertEqual(sheet([[100, 2]], vocab).grade, grade.MAPPED)
        self.assertEqual(sheet([[50]], vocab).unmapped, 1)

    def test_fill_stands_behind_a_row_only(self):
        got = sheet([[1, 2, -100, -100], [3, -100]])
        self.assertEqual((got.fill, got.grade), (3, grade.MAPPED))
        self.assertEqual(sheet([[1, -100, 2]]).grade, grade.IMPOSSIBLE)

    def test_one_value_again_and_again(self):
        self.assertEqual(sheet([[5, 9000001, 9000001, 9000001, 9000001]]).grade, grade.SIGNATURE)
        self.assertEqual(sheet([[5, 9000001, 9000002, 9000003, 9000004]]).grade, grade.IMPOSSIBLE)

    def test_outside_the_embedding(self):
        got = sheet([[98, 3]], reverse=96)
        self.assertEqual((got.grade, got.value), (grade.REVERSE, 98))


def first_alarm(ids, width, draw, batches=40, rows=12, columns=20):
    vocab, rate, total = Vocabulary(range(ids), (0,)), grade.Rate(), 0
    for b in range(batches):
        table = [draw(columns) for _ in range(rows)]
        total += rows * columns
        got = grade.grade_rows(table, vocab, width, None, 64)
        if got.unmapped and rate.add(got, rows * columns, total, (width - ids) / width):
            return b
    return None


class Rates(unittest.TestCase):
    def test_healthy_models_are_let_be(self):
        for seed in range(5):
            r = random.Random(seed)
            drawn = lambda n: [r.randrange(128) for _ in range(n)]  # noqa: E731
            loops = lambda n: [r.randrange(128)] * n  # noqa: E731
            rare = lambda n: [r.randrange(151665) if r.random() > 2e-4 else 151700 for _ in range(n)]  # noqa: E731
            self.assertIsNone(first_alarm(48, 128, drawn), seed)
            self.assertIsNone(first_alarm(48, 128, loops), seed)
            self.assertIsNone(first_alarm(151665, 152064, rare, batches=100), seed)
        self.assertIsNone(first_alarm(48, 128, lambda n: [92] * n))

    def test_too_many_are_not(self):
        for seed in range(5):
            r = random.Random(seed)
            many = lambda n: [r.randrange(151665) if r.random() > 0.02 else r.randrange(151665, 152064) for _ in range(n)]  # noqa: E731
            self.assertIsNotNone(first_alarm(151665, 152064, many), seed)


if __name__ == "__main__":
    unittest.main()
