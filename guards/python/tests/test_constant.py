"""When outputs that are alike are a fault, as far as it is logic, on stand-ins."""

import struct
import types
import unittest

from trainvet import constant


class Row(list):
    """As much of a tensor as is asked for."""

    dtype, size = "torch.float32", 4

    def tolist(self):
        return list(self)

    def numel(self):
        return len(self)

    def element_size(self):
        return self.size

    def __getitem__(self, at):
        return Row(list.__getitem__(self, at)) if isinstance(at, slice) else list.__getitem__(self, at)


class Module:
    def __init__(self, *children, **parameters):
        self._modules = {str(i): c for i, c in enumerate(children)}
        self.parameters = parameters

    def modules(self):
        yield self
        for c in self._modules.values():
            yield from c.modules()

    def named_parameters(self):
        return self.parameters.items()


class Sigmoid(Module):
    pass


class Fill(unittest.TestCase):
    def test_bytes_of_one(self):
        for name, code in (("torch.float32", "<f"), ("torch.float64", "<d"), ("torch.float16", "<e")):
            self.assertEqual(struct.pack(code, constant.FILLS[name]), b"\x01" * struct.calcsize(code))

    def test_what_is_filled(self):
        value = constant.FILLS["torch.float32"]
        self.assertTrue(constant.filled(Row([value] * 4), Row()))
        self.assertFalse(constant.filled(Row([value] * 3), Row()))  # too few: it may be a number
        self.assertFalse(constant.filled(Row([value] * 3 + [0.0]), Row()))
        other = Row()
        other.dtype = "torch.int64"
        self.assertFalse(constant.filled(Row([value] * 4), other))


class Chance(unittest.TestCase):
    def test_half_precision_of_a_few_values(self):
        half = Row([0.0] * 4)
        half.size = 2
        self.assertTrue(constant.by_chance(half))
        self.assertFalse(constant.by_chance(Row([0.0] * 4)))
        wide = Row([0.0] * 32)
        wide.size = 2
        self.assertFalse(constant.by_chance(wide))


class Counting(unittest.TestCase):
    def answer(self):
        self.keep = Module()
        return constant.Answer(self.keep, "digest", 0)

    def test_one_input_again_and_again_is_one(self):
        a = self.answer()
        for _ in range(20):
            a.add(0, "same")
        self.assertEqual(a.n, 1)

    def test_batches_of_inputs_that_are_not_the_same(self):
        a = self.answer()
        a.add(3, "first")
        a.add(3, "second")
        self.assertEqual(a.n, 8)  # three that are unlike the first of their batch, and each first one


class Explained(unittest.TestCase):
    def test_a_function_at_its_bound(self):
        model = Module(Module(), Sigmoid())
        self.assertIn("Sigmoid", constant.explained(model, Row([1.0, 0.0])))
        self.assertEqual(constant.explained(model, Row([0.5, 0.5])), "")

    def test_nothing_in_the_model_says_it(self):
        self.assertEqual(constant.explained(Module(Module()), Row([0.1, 0.2])), "")


class Told(unittest.TestCase):
    def test_a_fault_sticks_and_is_said_once(self):
        faults = []
        live = types.SimpleNamespace(fault=lambda *a, **k: faults.append(a[0]))
        guard = constant.Guard(live, types.SimpleNamespace(outputs=[]))
        row = [types.SimpleNamespace(item=lambda: 2.4e-38)]
        guard.unwritten(Module(), row)
        guard.unwritten(Module(), row)
        self.assertEqual(faults, ["fill-float"])
        guard.forked()
        guard.unwritten(Module(), row)
        self.assertEqual(len(faults), 2)


if __name__ == "__main__":
    unittest.main()
