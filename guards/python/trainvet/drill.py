"""trainvet run --drill decode@3: the third decode of a run that is thrown away is
given memory of 0x01 bytes, as a kernel that did not run leaves it. What is then
raised must reach the top."""

import os
import sys

FILLS = {8: 0x01, 16: 0x0101, 32: 0x01010101, 64: 0x0101010101010101}


class Drill:
    def __init__(self, live):
        what, _, at = os.environ.get("TRAINVET_DRILL", "").partition("@")
        self.live = live
        self.left = int(at) if what == "decode" and at.isdigit() else 0
        if self.left:
            live.stop = True

    def feed(self, args, kwargs):
        """The arguments of a decode: those of the one that is drilled are filled."""
        if not self.left:
            return args, kwargs
        filled = fill(args[0]) if args else None
        names = [k for k, v in kwargs.items() if not args and fill(v) is not None]
        if filled is None and not names:
            return args, kwargs
        self.left -= 1
        if self.left:
            return args, kwargs
        self.live.finding("drill", "note", "this decode is given ids of 0x01 bytes on purpose: the run is a drill", kind="doubt")
        if filled is not None:
            return (filled,) + tuple(args[1:]), kwargs
        return args, dict(kwargs, **{names[0]: fill(kwargs[names[0]])})


def fill(ids):
    """The same in shape and type, of 0x01 bytes; None: it holds no ids."""
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    if torch is not None and isinstance(ids, torch.Tensor):
        if ids.is_floating_point() or ids.is_complex() or ids.dtype == torch.bool or not ids.numel():
            return None
        return torch.full_like(ids, FILLS[8 * ids.element_size()])
    if numpy is not None and isinstance(ids, numpy.ndarray):
        return numpy.full_like(ids, FILLS[8 * ids.itemsize]) if ids.dtype.kind in "iu" and ids.size else None
    if isinstance(ids, (list, tuple)):
        parts = [fill(part) for part in ids]
        return None if not parts or all(p is None for p in parts) else type(ids)(o if p is None else p for p, o in zip(parts, ids))
    if isinstance(ids, int) and not isinstance(ids, bool):
        return FILLS[32]
    return None
