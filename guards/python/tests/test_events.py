"""Who is told of what, while the row of those who are told changes."""

import unittest

from trainvet import events


class Events(unittest.TestCase):
    def test_each_is_told_once(self):
        event, told = events.Event(), []
        event.append(told.append)
        event.append(told.append)
        for f in event:
            f(1)
        self.assertEqual((told, len(event)), ([1], 1))

    def test_one_that_leaves_or_comes_while_it_is_told(self):
        event, told = events.Event(), []

        def once():
            told.append("once")
            event.leave(once)
            event.append(later)

        def later():
            told.append("later")

        event += [once, lambda: told.append("always")]
        for _ in range(2):
            for f in event:
                f()
        self.assertEqual(told, ["once", "always", "always", "later"])


class Owner:
    def f(self):
        return "theirs"


class Replaced(unittest.TestCase):
    def test_by_name(self):
        owner, other, methods = type("A", (Owner,), {"f": Owner.f}), type("B", (), {"g": Owner.f}), events.Replaced()
        f, g = owner.f, other.g
        methods.set(owner, "f", f, lambda self: "ours")
        methods.set(other, "g", g, lambda self: "ours")
        methods.back("f")
        self.assertEqual((owner().f(), other().g()), ("theirs", "ours"))
        methods.back()
        self.assertIs(other.g, g)


if __name__ == "__main__":
    unittest.main()
