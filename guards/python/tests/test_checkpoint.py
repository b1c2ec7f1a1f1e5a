"""Names of a file against those of a model, without a model."""

import hashlib
import os
import tempfile
import unittest

from trainvet import checkpoint, weights


class Tensor:
    def __init__(self, *shape):
        self.shape = shape


class Held:
    def __init__(self, name, *shape):
        self.name, self.tensor, self.owner = name, Tensor(*shape), name.rpartition(".")[0]


class Names(unittest.TestCase):
    def named(self, saved, held):
        shapes = {n: Tensor(2, 3) for n in saved}
        return {n: e.name for n, e in weights.named(shapes, [Held(n, 2, 3) for n in held]).items()}

    def test_wrappers_are_no_names(self):
        held = ["a.weight", "b.weight"]
        for prefix in ("", "module.", "_orig_mod.", "module._orig_mod.", "model.", "net."):
            with self.subTest(prefix):
                want = {prefix + n: n for n in held}
                self.assertEqual(self.named(want, held), want)
                self.assertEqual(self.named(held, list(want)), {v: k for k, v in want.items()})

    def test_another_shape_is_another_tensor(self):
        got = weights.named({"a": Tensor(2), "b": Tensor(3)}, [Held("a", 2), Held("b", 4)])
        self.assertEqual(list(got), ["a"])

    def test_names_that_say_nothing(self):
        self.assertEqual(self.named(["x", "y"], ["a.weight", "b.weight"]), {})

    def test_the_module_that_all_are_in(self):
        self.assertEqual(checkpoint.common(["a.b.weight", "a.c.weight"]), "a")
        self.assertEqual(checkpoint.common(["a.b.weight", "a.b.bias"]), "a.b")
        self.assertEqual(checkpoint.common(["weight", "a.bias"]), "")
        self.assertTrue(checkpoint.within("a.b", "a") and not checkpoint.within("ab", "a"))


class Missing(unittest.TestCase):
    def torn(self, held, lacking):
        inside = [Held(n, 1) for n in held]
        covered = {n for n in held if n not in lacking}
        return checkpoint.Parts([e for e in inside if e.name in lacking], inside, covered, checkpoint.common(sorted(covered))).torn

    def test_one_tensor_of_a_layer(self):
        self.assertTrue(self.torn(["a.w", "a.b", "head.w", "head.b"], {"head.b"}))

    def test_a_head_that_is_left_out_whole(self):
        self.assertFalse(self.torn(["a.w", "a.b", "b.w", "head.0.w", "head.1.w"], {"head.0.w", "head.1.w"}))

    def test_a_layer_in_the_middle(self):
        self.assertTrue(self.torn(["a.w", "b.w", "c.w", "head.w"], {"b.w"}))


class Files(unittest.TestCase):
    def test_a_file_is_known_again_as_the_go_guards_know_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "f")
            with open(path, "wb") as f:
                f.write(b"abc")
            size, sample = checkpoint.known_by(path)
            self.assertEqual((size, sample), (3, hashlib.sha256((3).to_bytes(8, "little") + b"abc").hexdigest()[:32]))
            with open(path, "wb") as f:
                f.write(bytes(range(256)) * 4096)
            whole = checkpoint.known_by(path)
            with open(path, "r+b") as f:
                f.seek(5)
                f.write(b"x")
            self.assertNotEqual(checkpoint.known_by(path), whole)
            self.assertEqual(checkpoint.known_by(folder), (-1, ""))


if __name__ == "__main__":
    unittest.main()
