"""A loss scaler is known from when it is made, and what PyTorch warns of names the trainer's line."""

import unittest
import warnings

from trainvet import firststep


class Event(list):
    def leave(self, f):
        self.remove(f)


class Stepping:
    def __init__(self):
        self.listeners = Event()


class Live:
    def __init__(self):
        self.after = []


class Scaler:
    available = False

    def __init__(self, device="cuda", enabled=True):
        if enabled and not self.available:
            warnings.warn("not available. Disabling.", stacklevel=2)
        self._enabled = enabled and self.available


class ScalerMade(unittest.TestCase):
    def setUp(self):
        self.guard = firststep.Guard(Live(), Stepping(), None, None, None, tuple)
        self.base = type("Base", (Scaler,), {})
        self.cls = type("Old", (self.base,), {"__init__": lambda scaler, **more: Scaler.__init__(scaler, "cuda", **more)})
        self.guard.scalers(self.base)
        self.guard.scalers(self.cls)

    def test_warning_names_the_line_that_made_it(self):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            self.base()
        self.assertEqual([__file__], [w.filename for w in said])

    def test_what_became_of_it(self):
        self.assertEqual("none", self.guard.scaler())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.cls()
        self.assertEqual("disabled itself: its device is not available", self.guard.scaler())
        self.cls(enabled=False)
        self.assertEqual("off, as asked", self.guard.scaler())
        self.cls.available = True
        made = self.cls()
        self.assertIs(self.cls, type(made))
        self.assertEqual("live", self.guard.scaler())


if __name__ == "__main__":
    unittest.main()
