"""Seeds, arguments and files as they were, and nothing that may be secret."""

import argparse
import json
import os
import random
import tempfile
import unittest

from trainvet import settings


class Live:
    def report(self, what, error):
        raise error


class Settings(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp()
        self.guard = settings.Guard(Live(), self.dir)
        self.kept = [(o, n, getattr(o, n)) for o, n in ((random, "seed"), (json, "load"), (argparse.ArgumentParser, "parse_known_args"))]
        for name, module in (("random", random), ("json", json), ("argparse", argparse)):
            self.guard.actions()[name](module)

    def tearDown(self):
        for owner, name, original in self.kept:
            setattr(owner, name, original)

    def lines(self):
        out = []
        for name in os.listdir(self.dir):
            if name.startswith("settings-"):
                with open(os.path.join(self.dir, name), encoding="utf-8") as f:
                    out += [json.loads(line) for line in f]
        return out

    def test_what_is_recorded(self):
        random.seed(7)
        random.seed(7)
        parser = argparse.ArgumentParser()
        parser.add_argument("--lr", type=float, default=0.5)
        parser.add_argument("--hub-token", default="hf_abc")
        parser.add_argument("--max-tokens", type=int, default=9)
        parser.parse_args([])
        path = os.path.join(self.dir, "config.json")
        with open(path, "w", encoding="utf-8") as f:
            f.write('{"a": 1}')
        for _ in range(2):
            with open(path, encoding="utf-8") as f:
                self.assertEqual(json.load(f), {"a": 1})
        lines = self.lines()
        self.assertEqual([(e["kind"], e["of"]) for e in lines if e["kind"] != "seed"], [("arguments", "argparse"), ("file", path)])
        self.assertEqual(lines[-2]["value"], {"lr": 0.5, "hub_token": "(not recorded)", "max_tokens": 9})
        self.assertEqual(len(lines[-1]["value"]), 64)
        self.assertTrue(all(e["value"] == 7 and "test_settings.py:" in e["at"] for e in lines if e["kind"] == "seed"), lines)

    def test_a_seed_that_is_no_number_is_none(self):
        random.seed("text")
        self.assertEqual(self.lines(), [])

    def test_values(self):
        self.assertEqual(settings.plain({"a": {"b": {"c": {"d": 1}}}, "f": open}), {"a": {"b": {"c": "(dict)"}}, "f": "(builtin_function_or_method)"})


if __name__ == "__main__":
    unittest.main()
