"""Functions that stand in the place of a library's own."""

import sys
import types
import unittest
from unittest import mock

from trainvet import imports


class Put(unittest.TestCase):
    def test_where_packages_give_it_on(self):
        def save():
            pass

        def other():
            pass

        def made():
            pass

        top, middle, inner = types.ModuleType("a"), types.ModuleType("a.b"), types.ModuleType("a.b.c")
        top.save, middle.save, inner.save = save, other, save
        with mock.patch.dict(sys.modules, {"a": top, "a.b": middle, "a.b.c": inner}):
            imports.put(inner, "save", made)
        self.assertIs(inner.save, made)
        self.assertIs(top.save, made)
        self.assertIs(middle.save, other)  # another function of that name

    def test_packages_that_have_it_not_yet(self):
        inner = types.ModuleType("a.c")
        inner.load = len
        with mock.patch.dict(sys.modules, {"a": types.ModuleType("a"), "a.c": inner}):
            imports.put(inner, "load", max)
            self.assertFalse(hasattr(sys.modules["a"], "load"))
        self.assertIs(inner.load, max)


if __name__ == "__main__":
    unittest.main()
