"""The tensors of a model by name, and which of them the tensors of a file are.

Names alone say little: wrappers add to them, files are written with others. A
tensor is known by its storage first, then by its name with the same shape, and
what is left by values."""

import math
import sys

from trainvet import steps

WRAPPERS = ("module.", "_orig_mod.", "_fsdp_wrapped_module.", "model.", "base_model.")
POINTS = 4  # values that are looked at of a tensor
MAX_TENSORS = 20000
MAX_DEPTH = 6
MEANT = "num_batches_tracked"  # counts, and is read by next to nobody


class Entry:
    """One tensor of a model that its state holds."""

    __slots__ = ("name", "tensor", "owner", "buffer", "trainable")

    def __init__(self, name, tensor, owner, buffer):
        self.name, self.tensor, self.owner, self.buffer = name, tensor, owner, buffer
        self.trainable = not buffer and tensor.requires_grad


def entries(root):
    """The parameters and the buffers that are kept, tied ones by each name; None
    where nobody knows from here what a tensor holds (a shard, a placeholder)."""
    out = []
    for prefix, module in root.named_modules(remove_duplicate=False):
        dotted = prefix + "." if prefix else ""
        held = [(n, p, False) for n, p in module._parameters.items() if p is not None]
        left_out = getattr(module, "_non_persistent_buffers_set", ())
        held += [(n, b, True) for n, b in module._buffers.items() if b is not None and n not in left_out]
        for name, tensor, buffer in held:
            if not whole(tensor) or len(out) >= MAX_TENSORS:
                return None
            out.append(Entry(dotted + name, tensor, prefix, buffer))
    return out


def whole(t):
    """All its values are here, and what they are is known."""
    return steps.plain(t) and t.device.type != "meta" and t.numel() > 0 and not hasattr(t, "ds_id") and not getattr(t, "_is_flat_param", False)


def place(t):
    return t.device, t.data_ptr(), t.shape, t.stride()


# tables

class Table:
    """Tensors by name, as something that is saved holds them."""

    def __init__(self, source, tensors):
        self.source, self.tensors = source, tensors


def tables(thing):
    """The tables in what is handed to a save; and whether an optimizer's state is
    among it."""
    torch = sys.modules["torch"]
    found, seen, optimizer = [], set(), False
    work = [(thing, 0)]
    while work and len(seen) < MAX_TENSORS:
        node, depth = work.pop()
        if id(node) in seen or depth > MAX_DEPTH:
            continue
        seen.add(id(node))
        if isinstance(node, torch.nn.Module):
            held = entries(node) if not isinstance(node, torch.jit.ScriptModule) else None
            found.append(Table(node, None if held is None else {e.name: e.tensor for e in held}))
        elif isinstance(node, dict):
            if "param_groups" in node and "state" in node:
                optimizer = True
                continue
            own = {k: v for k, v in node.items() if isinstance(k, str) and isinstance(v, torch.Tensor)}
            if own:
                found.append(Table(node, {k: v.detach() for k, v in own.items()} if all(steps.plain(v) for v in own.values()) else None))
            work += [(v, depth + 1) for v in node.values() if isinstance(v, (dict, list, tuple, torch.nn.Module))]
        elif isinstance(node, (list, tuple)) and len(node) <= 64:
            work += [(v, depth + 1) for v in node if isinstance(v, (dict, list, tuple, torch.nn.Module))]
    return found, optimizer


# which is which

class Match:
    """Of a table and the entries of a model: by entry name the tensor that is
    saved of it, how many were found by storage, and what nobody is."""

    def __init__(self):
        self.saved, self.by_storage, self.strangers = {}, 0, []


def match(table, held):
    out, left = Match(), dict(table.tensors)
    by_place = {}
    for e in held:
        by_place.setdefault(place(e.tensor), []).append(e)
    for name, t in table.tensors.items():
        if t.device.type == "meta" or not t.numel():
            continue
        same = by_place.get(place(t))
        if same:
            out.by_storage += 1
            del left[name]
            for e in same:
                out.saved[e.name] = t
    names = named(left, [e for e in held if e.name not in out.saved])
    for name, e in names.items():
        out.saved[e.name] = left.pop(name)
    for e in held:  # tied weights are stored once
        if e.name not in out.saved:
            for twin in by_place[place(e.tensor)]:
                if twin.name in out.saved:
                    out.saved[e.name] = out.saved[twin.name]
    out.strangers = list(left)
    return out


def named(saved, held):
    """Entries by the name that the file has for them. Of two prefixes by which
    names differ, the one that makes more of them fit is it."""
    exact = {e.name: e for e in held}
    best = {n: exact[n] for n in saved if fits(exact.get(n), saved[n])}
    if len(best) == len(saved):
        return best
    by_name = {bare(e.name): e for e in held}
    plain = {bare(n): n for n in saved}
    stripped = {n: by_name[b] for b, n in plain.items() if fits(by_name.get(b), saved[n])}
    best = stripped if len(stripped) > len(best) else best
    for prefix in prefixes(plain, by_name):
        more = {}
        for b, n in plain.items():
            e = by_name.get(prefix + b) or (by_name.get(b[len(prefix):]) if b.startswith(prefix) else None)
            if fits(e, saved[n]):
                more[n] = e
        if len(more) > len(best):
            best = more
    return best


def fits(entry, t):
    return entry is not None and entry.tensor.shape == t.shape


def prefixes(saved, held):
    """What a few names of either side have before a name of the other."""
    out = []
    for few, many in ((list(saved)[:3], held), (list(held)[:3], saved)):
        for name in few:
            for other in many:
                if other.endswith("." + name) and other[: -len(name)] not in out:
                    out.append(other[: -len(name)])
        out = out[:16]
    return out


def bare(name):
    """Without what wrappers put before it."""
    found = True
    while found:
        found = False
        for w in WRAPPERS:
            if name.startswith(w):
                name, found = name[len(w):], True
    return name.replace("._orig_mod.", ".").replace(".module.", ".") if "._orig_mod." in name else name


# values

def sample(tensors):
    """A few values of each, in one copy from a device."""
    torch = sys.modules["torch"]
    out, far = [None] * len(tensors), {}
    for i, t in enumerate(tensors):
        if not whole(t) or t.is_complex():
            continue
        picked = pick(t)
        if t.device.type == "cpu":
            out[i] = tuple(picked.tolist())
        else:
            far.setdefault(t.device, []).append((i, picked.double() if t.device.type != "mps" else picked.float()))
    for held in far.values():
        values = torch.cat([v for _, v in held]).tolist()
        at = 0
        for i, v in held:
            out[i], at = tuple(values[at : at + v.numel()]), at + v.numel()
    return out


def pick(t):
    torch = sys.modules["torch"]
    n = t.numel()
    places = sorted({0, n // 3, 2 * n // 3, n - 1})[:POINTS]
    t = t.detach()
    if t.is_contiguous():
        return t.view(-1)[places]
    shape = list(t.shape)
    return torch.stack([t[at(p, shape)] for p in places])


def at(flat, shape):
    where = []
    for n in reversed(shape):
        where.append(flat % n)
        flat //= n
    return tuple(reversed(where))


def alike(have, want, dtype):
    """Whether saved values are these, as far as the type that they are saved in
    can hold them."""
    if have is None or want is None or len(have) != len(want):
        return False
    if have == want:
        return True
    torch = sys.modules["torch"]
    if not dtype.is_floating_point:
        return False
    cast = torch.tensor(want, dtype=torch.float64).to(dtype).to(torch.float64).tolist()
    return all(a == b or (math.isnan(a) and math.isnan(b)) for a, b in zip(have, cast))


def is_module(thing):
    return isinstance(thing, sys.modules["torch"].nn.Module)
