"""python -m trainvet: a command line that cannot be meant begins no record."""

import os
import subprocess
import sys
import tempfile
import unittest


class Command(unittest.TestCase):
    def run_in(self, folder, *words):
        path = os.path.abspath(os.environ.get("PYTHONPATH", "."))
        environment = dict(os.environ, PYTHONPATH=path, TRAINVET="0")
        environment.pop("TRAINVET_RUN", None)
        return subprocess.run(
            [sys.executable, "-m", "trainvet"] + list(words),
            cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
        )

    def test_what_cannot_be_meant(self):
        for words, said in (((), "usage:"), (("--nope",), "usage:"), (("absent.py",), "there is no file absent.py")):
            with tempfile.TemporaryDirectory() as folder:
                done = self.run_in(folder, *words)
                self.assertEqual(done.returncode, 2, words)
                self.assertIn(said, done.stderr)
                self.assertNotIn("Traceback", done.stderr)
                self.assertEqual(os.listdir(folder), [])

    def test_help(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_in(folder, "--help")
            self.assertEqual((done.returncode, os.listdir(folder)), (0, []))
            self.assertIn("usage: python -m trainvet SCRIPT", done.stdout)

    def test_a_script_runs_with_its_own_arguments(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "train.py"), "w") as f:
                f.write("import sys\nprint(sys.argv[1:], __name__)\n")
            done = self.run_in(folder, "train.py", "--help", "x")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("['--help', 'x'] __main__", done.stdout)


if __name__ == "__main__":
    unittest.main()
