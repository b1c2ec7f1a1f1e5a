"""What a rank writes of the parameters that it holds, without a rank."""

import os
import struct
import sys
import types
import unittest
import zlib
import ctypes

from trainvet import live, replicas


class Out:
    def __init__(self):
        self.rows = []

    def write(self, kind, data, place=None):
        self.rows.append((kind, data))


class Tensor:
    """A tensor of floats on the host, as far as a digest asks."""

    is_cpu = True

    def __init__(self, values, kind="cpu"):
        self.values = ctypes.create_string_buffer(struct.pack("%df" % len(values), *values), 4 * len(values))
        self.shape, self.device = (len(values),), types.SimpleNamespace(type=kind)

    def set(self, i, value):
        struct.pack_into("f", self.values, 4 * i, value)

    def numel(self):
        return self.shape[0]

    def element_size(self):
        return 4

    def is_contiguous(self):
        return True

    def data_ptr(self):
        return ctypes.addressof(self.values)

    def detach(self):
        return self


class Optimizer:
    def __init__(self, *params):
        self.param_groups = [{"params": list(params)}]


class Looks(unittest.TestCase):
    def setUp(self):
        self.kept = {n: sys.modules.get(n) for n in ("torch", "torch.distributed", replicas.AVERAGES)}
        sys.modules["torch"] = types.ModuleType("torch")
        sys.modules["torch.distributed"] = types.ModuleType("torch.distributed")
        sys.modules["torch.distributed"].get_rank = lambda: 1
        self.plain, replicas.steps.plain = replicas.steps.plain, lambda t: True
        self.out = Out()
        self.live = live.Live(self.out, lambda what, error: self.fail("%s: %s" % (what, error)))
        self.params = [Tensor([1.0, 2.0]), Tensor([3.0])]
        self.optimizer = Optimizer(*self.params)
        kind = replicas.Loose("Adam")
        kind.together = True
        self.model = replicas.Model(self.live, self.optimizer, kind, lambda: [("a", self.params[0]), ("b", self.params[1])])

    def tearDown(self):
        replicas.steps.plain = self.plain
        for name, module in self.kept.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module

    def held(self):
        self.model.write()
        return [row for kind, row in self.out.rows if kind == "held"]

    def test_a_look_names_every_parameter_and_all_of_them(self):
        self.model.look(0)
        whole, parts = self.held()
        self.assertEqual([(i["step"], i["name"]) for i in whole["items"]], [(0, "")])
        self.assertEqual([(i["step"], i["name"]) for i in parts["items"]], [(0, "a"), (0, "b")])
        self.assertEqual(parts["items"][0]["value"], str(zlib.crc32(struct.pack("2f", 1.0, 2.0))))
        self.assertEqual((whole["member"], whole["expect"], whole["effect"]), ("rank 1", "stays", "degrade"))

    def test_one_bit_is_another_digest(self):
        self.model.look(0)
        self.params[1].set(0, 3.0000002)
        self.model.look(1)
        values = {}
        for row in self.held():
            for i in row["items"]:
                values.setdefault(i["name"], []).append(i["value"])
        self.assertEqual(len(set(values[""])), 2)
        self.assertEqual((len(set(values["a"])), len(set(values["b"]))), (1, 2))

    def test_nothing_that_was_not_looked_at_is_written(self):
        self.assertEqual(self.held(), [])

    def test_a_placeholder_is_not_read(self):
        self.params[0].device.type = "meta"
        self.model.look(0)
        self.assertEqual([i["name"] for i in self.held()[1]["items"]], ["b"])

    def test_models_of_their_own_and_averages_are_notes(self):
        self.model.kind.together = False
        self.assertEqual(self.model.effect(), "note")
        self.model.kind.together = True
        sys.modules[replicas.AVERAGES] = types.ModuleType("averagers")
        self.assertEqual(self.model.effect(), "note")

    def test_all_ranks_look_at_multiples_of_a_power_of_two(self):
        self.model.stride = 1
        for stride in (1, 4, 64):
            self.model.stride = stride
            later = [n for n in range(replicas.LOOKED_AT, 4096) if self.model.due(n)]
            self.assertTrue(all(n % stride == 0 for n in later), stride)
        self.model.stride = 4
        fine = {n for n in range(4096) if self.model.due(n)}
        self.model.stride = 64
        self.assertLess({n for n in range(4096) if self.model.due(n)}, fine)

    def test_looks_grow_rare_in_a_long_run(self):
        self.model.stride = 1
        self.assertLessEqual(sum(self.model.due(n) for n in range(1 << 16, 1 << 17)), 1 << replicas.FINENESS)

    def test_a_look_that_costs_much_is_made_rarely(self):
        self.model.began, self.model.spent = 0.0, 0.1
        self.model.pace(10, 0.09)  # steps of 10 ms
        self.assertGreaterEqual(self.model.stride * (replicas.FREE + replicas.SHARE * 0.01), 0.1)
        self.assertEqual(self.model.stride & (self.model.stride - 1), 0)
        self.model.spent = 0.0
        self.model.pace(10, 0.09)
        self.assertEqual(self.model.stride, 1)


class Names(unittest.TestCase):
    def test_neighbours_go_together_where_there_are_many(self):
        few = list(replicas.bundles(["a", "b"], [1, 2]))
        self.assertEqual(few, [("a", "1"), ("b", "2")])
        names = ["p%d" % i for i in range(1000)]
        many = list(replicas.bundles(names, list(range(1000))))
        self.assertLessEqual(len(many), replicas.LINE)
        self.assertEqual(many[0][0], "p0 to p15")
        changed = list(range(1000))
        changed[500] = -1
        other = list(replicas.bundles(names, changed))
        self.assertEqual([a[0] for a, b in zip(many, other) if a != b], ["p496 to p511"])

    def test_sums_of_devices_come_in_order(self):
        class Sums(list):
            def tolist(self):
                return list(self)

        self.assertEqual(replicas.settled([([0, 2], Sums([10, 30])), ([1], Sums([20]))]), [10, 20, 30])
        self.assertEqual(replicas.settled([1, 2]), [1, 2])

    def test_one_process_has_no_ranks(self):
        kept = sys.modules.pop("torch.distributed", None)
        try:
            self.assertFalse(replicas.ranks())
            sys.modules["torch.distributed"] = types.SimpleNamespace(is_initialized=lambda: True, get_world_size=lambda: 1)
            self.assertFalse(replicas.ranks())
            sys.modules["torch.distributed"].get_world_size = lambda: 2
            self.assertTrue(replicas.ranks())
        finally:
            sys.modules.pop("torch.distributed", None)
            if kept is not None:
                sys.modules["torch.distributed"] = kept


if __name__ == "__main__":
    os.environ.pop("TRAINVET_RUN", None)
    unittest.main()
