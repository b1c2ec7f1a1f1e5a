"""What is written of a collective call, on stand-ins of groups and tensors."""

import sys
import types
import unittest

from trainvet import collectives


class Tensor:
    def __init__(self, *shape, dtype="torch.float32"):
        self.shape, self.dtype, self.ndim = shape, dtype, len(shape)

    def numel(self):
        n = 1
        for s in self.shape:
            n *= s
        return n


class Op:
    def __init__(self, text):
        self.text = text

    def __str__(self):
        return self.text


class Out:
    def __init__(self):
        self.rows = []

    def write(self, kind, data, place=None):
        self.rows += [(data["group"], i["name"], i["value"]) for i in data["items"]]


class Case(unittest.TestCase):
    def setUp(self):
        self.out, self.world = Out(), object()
        self.live = types.SimpleNamespace(out=self.out, after=[], step=-1, report=lambda what, e: self.fail("%s: %r" % (what, e)))
        self.guard = collectives.Guard(self.live)
        self.torch = types.SimpleNamespace(_C=types.SimpleNamespace(_get_tracing_state=lambda: None))
        self.dist = types.SimpleNamespace(
            get_rank=lambda group=None: 1, get_world_size=lambda group=None: 2, get_process_group_ranks=lambda group: [0, 1],
            get_group_rank=lambda group, rank: rank, group=types.SimpleNamespace(WORLD=self.world))
        self.kept = {k: sys.modules.get(k) for k in ("torch", "torch.distributed")}
        sys.modules["torch"], sys.modules["torch.distributed"] = self.torch, self.dist

    def tearDown(self):
        for k, v in self.kept.items():
            sys.modules.pop(k, None)
            if v is not None:
                sys.modules[k] = v

    def wrap(self, name, original):
        return self.guard.watching(original, name, collectives.OPERATIONS[name])

    def said(self):
        return [value.partition(" @ ")[0] for _, _, value in self.out.rows]


class Calls(Case):
    def test_type_and_shape(self):
        all_reduce = self.wrap("all_reduce", lambda tensor, op=None, group=None, async_op=False: None)
        all_reduce(Tensor(4, 16))
        all_reduce(Tensor(4, 16), Op("<RedOpType.MAX: 3>"))
        all_reduce(Tensor(), op=Op("<torch.distributed.distributed_c10d.ReduceOp object at 0x7f>"))
        all_reduce(Tensor(2, dtype="torch.bfloat16"), Op("RedOpType.AVG"))
        self.assertEqual(self.said(), ["all_reduce SUM float32 4x16", "all_reduce MAX float32 4x16", "all_reduce weighted float32", "all_reduce AVG bfloat16 2"])
        self.assertIn("test_collectives.py:", self.out.rows[0][2])

    def test_who_sends_may_hold_another_shape(self):
        broadcast = self.wrap("broadcast", lambda tensor, src, group=None: None)
        broadcast(Tensor(4, 16), 0)
        broadcast(Tensor(64), src=0)
        self.assertEqual(self.said(), ["broadcast from 0 float32 64"] * 2)

    def test_shares(self):
        rows = self.wrap("all_to_all_single", lambda output, input, output_split_sizes=None, input_split_sizes=None, group=None: None)
        rows(Tensor(8, 4), Tensor(7, 4), [4, 4], [4, 3])
        rows(Tensor(8, 4), Tensor(8, 4))
        self.assertEqual(self.said(), ["all_to_all_single float32; sent 16 12; received 16 16; place 1", "all_to_all_single float32; sent 16 16; received 16 16; place 1"])

    def test_the_root_alone_has_a_list(self):
        gather = self.wrap("gather", lambda tensor, gather_list=None, dst=0, group=None: None)
        gather(Tensor(3))
        gather(Tensor(3), [Tensor(3), Tensor(3)], 1)
        scatter = self.wrap("scatter", lambda tensor, scatter_list=None, src=0, group=None: None)
        scatter(Tensor(3))
        self.assertEqual(self.said(), ["gather float32; sent 3 0; received 0 0; place 1", "gather float32; sent 0 3; received 3 3; place 1",
                                       "scatter float32; sent 0 0; received 3 0; place 1"])

    def test_a_call_within_a_call(self):
        all_reduce = self.wrap("all_reduce", lambda tensor, op=None, group=None: None)
        barrier = self.wrap("barrier", lambda group=None: all_reduce(Tensor(1)))
        barrier()
        self.assertEqual(self.said(), ["barrier"])

    def test_a_group_of_others(self):
        self.dist.get_rank = lambda group=None: -1 if group == "theirs" else 1
        self.wrap("barrier", lambda group=None: None)(group="theirs")
        self.assertEqual(self.said(), [])

    def test_an_error_is_the_callers(self):
        def all_reduce(tensor, op=None, group=None):
            raise RuntimeError("timed out")

        wrapped = self.wrap("all_reduce", all_reduce)
        for _ in range(2):
            with self.assertRaises(RuntimeError):
                wrapped(Tensor(1))
        self.assertEqual(len(self.said()), 2)  # written before it was made

    def test_many_calls(self):
        barrier = self.wrap("barrier", lambda group=None: None)
        for _ in range(1 << 14):
            barrier()
        rows = len(self.out.rows)
        self.assertLess(rows, collectives.IN_FULL + 512)
        self.assertTrue(self.out.rows[-1][1].startswith("until "))
        self.guard.write()
        self.assertEqual(self.out.rows[-1][1:], ("calls", str(1 << 14)))

    def test_groups_are_told_apart(self):
        barrier = self.wrap("barrier", lambda group=None: None)
        a, b = types.SimpleNamespace(group_name="1"), types.SimpleNamespace(group_name="1")
        for group in (None, a, b, a):
            barrier(group)
        self.assertEqual([g for g, _, _ in self.out.rows], ["the collectives of ranks 0,1", "the collectives of ranks 0,1, group 1", "the collectives of ranks 0,1, group 1 (2)",
                                                             "the collectives of ranks 0,1, group 1"])


class Switch(unittest.TestCase):
    def test_it_is_off(self):
        self.assertEqual(collectives.Guard(types.SimpleNamespace(after=[])).actions(), {})


if __name__ == "__main__":
    unittest.main()
