"""What a process prints is in its run directory, and where it went before."""

import os
import subprocess
import sys
import tempfile
import unittest

import trainvet

WATCH = "import sys, os, trainvet; where = trainvet.watch(sys.argv[1]); "


class Capture(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.run_ = os.path.join(self.folder.name, "run")
        os.symlink(os.path.dirname(os.path.abspath(trainvet.__file__)), os.path.join(self.folder.name, "trainvet"))
        self.env = dict(os.environ, PYTHONPATH=self.folder.name)  # without the sitecustomize that lies beside it
        self.env.pop("TRAINVET_RUN", None)

    def python(self, code, stderr=subprocess.STDOUT):
        done = subprocess.run([sys.executable, "-c", WATCH + code, self.run_], env=self.env, stdout=subprocess.PIPE, stderr=stderr, check=True)
        return done.stdout.decode(), (done.stderr or b"").decode()

    def log(self):
        with open(os.path.join(self.run_, "run.log"), encoding="utf-8") as f:
            return f.read()

    def test_both_streams_and_children_in_one_order(self):
        out, _ = self.python("print('a'); print('b', file=sys.stderr); os.system('echo c'); os.write(1, b'd'); print('e' * 100000)")
        self.assertEqual(out, "a\nb\nc\nd" + "e" * 100000 + "\n")
        self.assertEqual(self.log(), out)

    def test_streams_that_go_apart_stay_apart(self):
        out, err = self.python("print('a'); print('b', file=sys.stderr); print('c')", stderr=subprocess.PIPE)
        self.assertEqual((out, err), ("a\nc\n", "b\n"))
        self.assertEqual(sorted(self.log().split()), ["a", "b", "c"])

    def test_an_end_without_a_word(self):
        self.python("print('a', flush=True); os._exit(0)")
        self.assertEqual(self.log(), "a\n")

    def test_a_stream_without_a_descriptor(self):
        out, _ = self.python("", stderr=subprocess.STDOUT)
        self.assertEqual(out, "")
        code = "import io, sys, trainvet; s = sys.stdout = io.StringIO(); trainvet.watch(sys.argv[1]); print('a'); assert s.getvalue() == 'a\\n'"
        subprocess.run([sys.executable, "-c", code, self.run_], env=self.env, check=True)
        self.assertEqual(self.log(), "a\n")

    def test_not_asked_for(self):
        code = "import sys, trainvet; trainvet.watch(sys.argv[1], output=False); print('a')"
        subprocess.run([sys.executable, "-c", code, self.run_], env=self.env, stdout=subprocess.DEVNULL, check=True)
        self.assertFalse(os.path.exists(os.path.join(self.run_, "run.log")))


if __name__ == "__main__":
    unittest.main()
