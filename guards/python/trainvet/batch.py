"""Reads token ids in whatever a trainer holds them: tensors, arrays, lists of
either, ragged rows, one id. Nothing is consumed and nothing is changed."""

import sys
from collections import abc


class Batch:
    """n ids between lo and hi; bits is the width of their type. rows() lists
    them, row by row, for those who have a reason to look."""

    __slots__ = ("n", "lo", "hi", "bits", "rows")

    def __init__(self, n, lo, hi, bits, rows):
        self.n, self.lo, self.hi, self.bits, self.rows = n, lo, hi, bits, rows


EMPTY = Batch(0, 0, 0, 64, list)


def read(ids):
    """None where it is nothing whose ids can be looked at without harm: text,
    an iterator that would be used up, a tensor of another library."""
    if ids is None:
        return EMPTY
    if isinstance(ids, int) and not isinstance(ids, bool):
        return Batch(1, ids, ids, 64, lambda: [[ids]])
    if isinstance(ids, (list, tuple)):
        return of_list(ids)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(ids, getattr(torch, "Tensor", ())):
        return of_tensor(torch, ids)
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(ids, (numpy.ndarray, numpy.integer)):
        return of_array(numpy, ids)
    if isinstance(ids, abc.Sequence) and not isinstance(ids, (str, bytes, bytearray, memoryview)):
        return of_list(list(ids))  # a range, an array, the column of a table
    return None


def is_text(ids):
    """Pieces that are put together again: there is no id among them."""
    if isinstance(ids, (list, tuple)):
        return bool(ids) and all(isinstance(part, (str, bytes)) for part in ids[:8])
    return isinstance(ids, (str, bytes))


def of_tensor(torch, t):
    if type(t) not in (torch.Tensor, torch.nn.Parameter) or t.is_floating_point() or t.is_complex() or t.dtype == torch.bool:
        return None  # of an unknown subclass no value is read: it may be a shard
    if t.device.type == "meta" or t.layout != torch.strided:
        return None
    n = t.numel()
    if n == 0:
        return EMPTY
    host = t.detach()
    if host.device.type != "cpu":
        host = host.cpu()  # decode copies it too, and waits as long
    lo, hi = torch.aminmax(host)
    return Batch(n, int(lo), int(hi), 8 * t.element_size(), lambda: table(host.tolist()))


def of_array(numpy, a):
    a = numpy.asarray(a)
    if a.dtype == object:
        return of_list(a.tolist() if a.ndim else [a.item()])
    if a.dtype.kind not in "iu":
        return None
    if a.size == 0:
        return EMPTY
    return Batch(int(a.size), int(a.min()), int(a.max()), 8 * a.itemsize, lambda: table(a.tolist()))


def of_list(ids):
    if ids and type(ids[0]) is int:
        try:
            lo, hi = min(ids), max(ids)
            if type(lo) is int and type(hi) is int:
                return Batch(len(ids), lo, hi, 64, lambda: [plain(ids)])
        except (TypeError, ValueError, RuntimeError):
            pass  # numbers and rows beside each other
    parts = []
    for part in ids:
        if isinstance(part, (str, bytes, float)):
            return None
        got = read(part)
        if got is None:
            return None
        parts.append((part, got))
    filled = [got for _, got in parts if got.n]
    if not filled:
        return EMPTY
    if all(is_one(part) for part, got in parts if got.n):  # a list of 0-d tensors, or of numbers of numpy
        one = lambda: [[row[0] for got in filled for row in got.rows()]]  # noqa: E731
    else:
        one = lambda: [row for got in filled for row in got.rows()]  # noqa: E731
    return Batch(sum(g.n for g in filled), min(g.lo for g in filled), max(g.hi for g in filled), max(g.bits for g in filled), one)


def is_one(part):
    return not isinstance(part, (list, tuple)) and not getattr(part, "ndim", 0)


def plain(ids):
    return [int(i) for i in ids]


def table(values):
    """Nested lists of any depth as rows."""
    if not isinstance(values, list):
        return [[values]]
    if not values or not isinstance(values[0], list):
        return [values]
    rows = []
    for inner in values:
        rows.extend(table(inner))
    return rows
