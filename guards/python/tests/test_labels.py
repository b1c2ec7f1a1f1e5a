"""One input, one label: judged by what fetches hold, without torch."""

import unittest

from trainvet import labels


def look(*rows):
    return {"labels": [list(r) for r in rows]}


class Judged(unittest.TestCase):
    def found(self, *epochs):
        found = labels.disagree({e + 1: [look(*rows)] for e, rows in enumerate(epochs)})
        return found[0] if found else None

    def test_one_label(self):
        rows = [(i, "d%d" % i, i % 3) for i in range(20)]
        self.assertIsNone(self.found(rows, rows, rows))

    def test_another_one_each_time(self):
        first = [(i, "d%d" % i, i % 3) for i in range(20)]
        self.assertEqual(self.found(first, [(i, d, (l + 1) % 3) for i, d, l in first]), "degrade")
        self.assertEqual(self.found(first, [(i, d, l + (i == 3)) for i, d, l in first]), "note")
        self.assertIsNone(self.found(first, [(i, d + "augmented", l + 1) for i, d, l in first]))

    def test_two_samples_that_are_alike(self):
        rows = [(i, "d%d" % (i % 10), i) for i in range(20)]
        self.assertEqual(self.found(rows), "degrade")
        agreed = [(i, "d%d" % (i % 10), i % 10) for i in range(20)]
        self.assertIsNone(self.found(agreed))
        self.assertEqual(self.found(agreed[:19] + [(19, "d9", 3)]), "note")


class Samples(unittest.TestCase):
    text = "a b c d e f g h i j k l m n o p q"

    def test_what_has_a_label(self):
        self.assertEqual([(i, n) for i, _, n in labels.pairs([(self.text, 3), (self.text + " r", 4)], [7, 8])], [(7, 3), (8, 4)])
        self.assertEqual([n for _, _, n in labels.pairs([{"text": self.text, "label": 2}], [0])], [2])
        one, two = labels.pairs([{"text": self.text, "label": 2, "id": 1}, {"text": self.text, "label": 3, "id": 2}], [0, 1])
        self.assertEqual(one[1], two[1])

    def test_what_has_none(self):
        for samples, index in (([self.text], [0]), ([(self.text, "word")], [0]), ([(self.text, 0.5)], [0]), ([(self.text, True)], [0]), ([("short", 1)], [0]), ([([1] * 40, 1)], [0]),
                               ([(self.text, 1)], 0), (None, [0]), ([(self.text, 1)], [0, 1]), ([(self.text, 1)], [(0, 1)])):
            self.assertEqual(labels.pairs(samples, index), [], samples)


if __name__ == "__main__":
    unittest.main()
