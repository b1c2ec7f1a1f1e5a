"""The guards on stand-ins of the libraries: they get in at the import, look at
the outermost call once, and never stand in the way."""

import importlib
import json
import os
import sys
import tempfile
import textwrap
import unittest

from trainvet import boot


class Hooks(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp()
        os.mkdir(os.path.join(self.dir, "records"))
        self.libraries = os.path.join(self.dir, "libraries")
        os.mkdir(self.libraries)
        self.path, self.modules, self.meta = list(sys.path), set(sys.modules), list(sys.meta_path)
        sys.path.insert(0, self.libraries)
        self.run_ = boot.Run(self.dir)
        self.run_.boot("start", (), ())
        self.run_.guard()

    def tearDown(self):
        sys.path[:], sys.meta_path[:] = self.path, self.meta
        for name in set(sys.modules) - self.modules:
            if not name.startswith("trainvet"):
                del sys.modules[name]

    def library(self, name, text):
        parts = name.split(".")
        folder = self.libraries
        for part in parts[:-1]:
            folder = os.path.join(folder, part)
            os.makedirs(folder, exist_ok=True)
            open(os.path.join(folder, "__init__.py"), "a").close()
        with open(os.path.join(folder, parts[-1] + ".py"), "w") as f:
            f.write(textwrap.dedent(text))
        importlib.invalidate_caches()
        return importlib.import_module(name)

    def records(self, kind):
        self.run_.guards.live.flush()
        out = []
        for name in sorted(os.listdir(os.path.join(self.dir, "records"))):
            with open(os.path.join(self.dir, "records", name)) as f:
                out += [json.loads(line) for line in f]
        return [r["data"] for r in out if r["type"] == kind]

    def tokenizers(self):
        return self.library("tokenizers", """
            class Tokenizer:
                def __init__(self, n=10): self.n, self.calls = n, []
                def get_vocab(self): return {str(i): i for i in range(self.n)}
                def get_vocab_size(self, added=True): return self.n
                def decode(self, ids, skip=True):
                    self.calls.append(ids)
                    return " ".join(str(i) for i in ids if i < self.n)
                def decode_batch(self, rows): return [self.decode(r) for r in rows]
        """)

    def test_a_fault_is_written_and_the_trainer_goes_on(self):
        t = self.tokenizers().Tokenizer()
        self.assertEqual(t.decode([1, 16843009, 2]), "1 2")
        self.assertEqual(t.decode_batch([[1], [2]]), ["1", "2"])
        fault, = self.records("fault")
        self.assertEqual((fault["code"], fault["value"], fault["col"]), ("ids-signature", "16843009", 1))
        sites = self.records("site")
        self.assertEqual([s["name"] for s in sites], ["Tokenizer.decode", "Tokenizer.decode_batch"])
        self.assertTrue(all(os.path.basename(s["file"]) == "test_hooks.py" and s["function"].endswith("goes_on") for s in sites))
        counts = {c["site"]: c for c in self.records("count")}
        self.assertEqual((counts[2]["calls"], counts[2]["values"]), (1, 2))  # the nested calls are not counted again

    def test_a_vocabulary_that_grows(self):
        t = self.tokenizers().Tokenizer()
        t.decode([9])
        t.n = 5000
        t.decode([4999])
        self.assertEqual(self.records("fault") + self.records("finding"), [])

    def test_what_cannot_be_read_is_said(self):
        t = self.tokenizers().Tokenizer()
        self.assertEqual(t.decode(i for i in (1, 2)), "1 2")
        site, = self.records("site")
        self.assertFalse(site["live"])
        self.assertIn("generator", site["why"])

    def test_an_error_of_a_guard_is_its_own(self):
        t = self.tokenizers().Tokenizer()
        t.get_vocab = None
        self.assertEqual(t.decode([1]), "1")
        type(t).get_vocab_size = lambda self, added=True: 1 // 0
        self.assertEqual(t.decode([2]), "2")
        self.assertEqual([f["code"] for f in self.records("finding")], ["hook-error"])

    def test_an_error_of_the_library_is_the_trainers(self):
        t = self.tokenizers().Tokenizer()
        with self.assertRaises(TypeError):
            t.decode()
        with self.assertRaises(TypeError):
            t.decode([None, "a"])

    def test_stop_raises_what_was_written_before(self):
        from trainvet.fault import TokenRangeFault

        t = self.tokenizers().Tokenizer()
        self.run_.guards.live.stop = True
        with self.assertRaises(TokenRangeFault) as caught:
            t.decode([72340172838076673])
        self.assertEqual(caught.exception.code, "ids-signature")
        self.assertEqual(len(self.records("fault")), 1)
        self.assertEqual(t.calls, [])

    def test_modules_look_as_ever(self):
        module = self.tokenizers()
        self.assertEqual(type(module.__spec__.loader).__name__, "SourceFileLoader")
        self.assertEqual(module.Tokenizer.decode.__name__, "decode")
        self.assertIn("def decode", __import__("inspect").getsource(module.Tokenizer))

    def test_a_library_that_fails_to_import_fails_as_ever(self):
        with self.assertRaises(ZeroDivisionError):
            self.library("sentencepiece", "1 // 0")
        self.assertEqual(self.records("finding"), [])

    def test_boot_says_what_lives(self):
        self.tokenizers()
        boots = self.records("boot")
        self.assertEqual([b["why"] for b in boots], ["start", "tokenizers"])
        self.assertEqual(boots[-1]["checks"], ["decode"])


if __name__ == "__main__":
    unittest.main()
