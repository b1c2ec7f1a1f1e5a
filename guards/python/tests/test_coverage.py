"""Which sources ran is known without asking a module for anything: one that is lazy would be loaded."""

import os
import sys
import types
import unittest

from trainvet import coverage


class Lazy(types.ModuleType):
    def __getattr__(self, name):
        raise ImportError("k2 is not installed")


class FilesRun(unittest.TestCase):
    def setUp(self):
        loaded = Lazy("loaded")
        loaded.__dict__["__file__"] = os.path.abspath("loaded.py")
        self.put = {"lazy": Lazy("lazy"), "loaded": loaded, "odd": object(), "none": None}
        sys.modules.update(self.put)
        self.addCleanup(lambda: [sys.modules.pop(name) for name in self.put])

    def test_lazy_modules_stay_so(self):
        files = coverage.files_run("train.py")
        self.assertIn(os.path.abspath("train.py"), files)
        self.assertIn(os.path.abspath("loaded.py"), files)
        self.assertIn(os.path.abspath(__file__), files)


if __name__ == "__main__":
    unittest.main()
