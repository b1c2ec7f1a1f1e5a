"""What a sample or a batch is, by a few of its values: a digest that is the same for
the same sample in every process, and how much of the samples a batch still holds."""

import sys
import zlib

from trainvet import steps

VALUES = 1024  # of a tensor, spread over all of it
PARTS = 16  # of a table or list
TEXT = 512
BYTES = 1 << 16  # of an image


class Unknown(Exception):
    """Nothing is known of a part."""


def digest(value, depth=5):
    """32 bits; empty: it holds something of which nothing is known."""
    try:
        return "%08x" % crc(value, 0, depth)
    except Exception:  # a sample is the trainer's: what it cannot be asked, it is not asked
        return ""


def crc(value, seed, depth):
    if isinstance(value, (int, float, type(None))):
        return zlib.crc32(repr(value).encode(), seed)
    if isinstance(value, str):
        return zlib.crc32(value[:TEXT].encode("utf-8", "replace"), seed + len(value))
    if isinstance(value, (bytes, bytearray)):
        return zlib.crc32(value[:BYTES], seed + len(value))
    if depth and (isinstance(value, dict) or hasattr(value, "keys")):
        for k in list(value.keys())[:PARTS]:
            seed = crc(value[k], crc(k, seed, depth - 1), depth - 1)
        return seed
    if depth and isinstance(value, (list, tuple)):
        return of_list(value, seed, depth)
    return of_array(value, seed, depth)


def of_list(value, seed, depth):
    """Its parts, where there are many those at even distances."""
    n = len(value)
    most = PARTS if n and isinstance(value[0], (dict, list, tuple)) else VALUES
    step = max(1, -(-n // most))
    seed = zlib.crc32(b"%d" % n, seed)
    for v in value[::step]:
        seed = crc(v, seed, depth - 1)
    return seed


def of_array(value, seed, depth):
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    if torch is not None and isinstance(value, torch.Tensor):
        if not steps.plain(value) or value.device.type == "meta":
            raise Unknown
        return of_tensor(torch, value.detach(), seed)
    if numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic)):
        flat = numpy.asarray(value).reshape(-1)
        if flat.dtype.hasobject:
            return of_list(flat.tolist()[:VALUES], seed, 2)
        return zlib.crc32(flat[:: max(1, flat.size // VALUES)].tobytes(), seed + flat.size)
    if hasattr(value, "tobytes") and hasattr(value, "getbands"):  # an image of PIL
        return zlib.crc32(value.tobytes()[:BYTES], seed)
    if depth and isinstance(getattr(value, "__dict__", None), dict) and vars(value):  # an object of its own kind
        return crc(vars(value), seed, depth - 1)
    raise Unknown


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
    """[samples, rows of the batch, what the samples held, what of it the batch
    holds], where the batch is of tensors that all have as many rows: elements of
    samples that are rows as they are, else ids and words. Batches that are packed
    hold in few rows what the samples held."""
    try:
        return of_batch(samples, batch)
    except Exception:  # samples and batches are the trainer's
        return None


def of_batch(samples, batch):
    tensors = tensors_of(batch)
    rows = {t.shape[0] for t in tensors if t.ndim}
    if not samples or len(rows) != 1:
        return None
    n, rows = len(samples), rows.pop()
    if rows >= n:
        return [n, rows, 0, 0]
    first = [t for t in tensors_of(samples[0]) if t.numel()]
    alike = [t for t in tensors if t.ndim > 1 and any(t.shape[1:] == f.shape and t.dtype == f.dtype for f in first)]
    if alike:
        each = alike[0][0].numel()
        return [n, rows, n * each, rows * each]
    ids = [t.numel() for t in tensors if t.ndim > 1 and not t.is_floating_point()]
    held = sum(size(s) for s in samples)
    return [n, rows, held, max(ids)] if ids and held else None


def tensors_of(value, depth=3):
    torch = sys.modules["torch"]
    if isinstance(value, torch.Tensor):
        return [value]
    if depth and hasattr(value, "values") and not isinstance(value, type):
        value = list(value.values())
    if depth and isinstance(value, (list, tuple)):
        return [t for v in value[:PARTS] for t in tensors_of(v, depth - 1)]
    return []


def size(sample, depth=3):
    """Words of a text, or ids, at the least one for each part."""
    if isinstance(sample, str):
        return len(sample.split())
    if isinstance(sample, dict):
        parts = [size(v, depth - 1) for v in sample.values()] if depth else []
        return max(parts, default=0)
    if isinstance(sample, (list, tuple)):
        if sample and isinstance(sample[0], int):
            return len(sample)
        return max((size(v, depth - 1) for v in sample[:PARTS]), default=0) if depth else 0
    shape = getattr(sample, "shape", None)
    return shape[-1] if shape is not None and len(shape) == 1 else 0


def lost(looks):
    """The first look at which the collator gave half of its samples or less, if
    it did so more than once; None."""
    fewer = [l for l in looks if l.get("given") and l["given"][1] * 2 <= l["given"][0] and l["given"][3] * 2 <= l["given"][2]]
    return fewer[0] if len(fewer) > 1 else None
