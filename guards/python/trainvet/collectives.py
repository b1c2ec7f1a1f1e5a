"""What each rank hands to collectives, call for call of each group: the operation,
its type and shape, how much goes to whom. Written before the call is made, since one
that never comes back is what is looked for. Nobody asks another rank; the audit holds
the calls of a group against each other, the first of one rank against the first of
each other one, and so on.

Off, unless TRAINVET_COLLECTIVES=1 (trainvet run --collectives): a line of the record
for each call. What PyTorch's own engines hand over (the buckets of
DistributedDataParallel, compiled collectives) does not come by here; nor do messages
between two ranks, which are meant to be unlike."""

import functools
import inspect
import os
import sys
import threading
import zlib

from trainvet import caller, gate, imports

SWITCH = "TRAINVET_COLLECTIVES"
CODE = "collectives-unlike"
IN_FULL = 2048  # calls of a group that are written one by one
FINENESS = 10  # of the digests behind them: 1,024 while the calls double
MAX_GROUPS = 48
MAX_SIZES = 64  # ranks whose shares are written, else their digest

# How the arguments of an operation are named, and what of them all ranks have alike:
# whole: type and shape; root: the rank that sends; numbers: how many there are, since
# who sends may hold them in another shape; shares: what goes to whom and comes from whom.
OPERATIONS = {
    "all_reduce": ("whole", "tensor", "op"),
    "reduce": ("whole", "tensor", "op", "dst", "group_dst"),
    "all_gather_into_tensor": ("numbers", "input_tensor"),
    "reduce_scatter_tensor": ("numbers", "output", "op"),
    "broadcast": ("numbers", "tensor", "src", "group_src"),
    "barrier": ("",),
    "all_gather": ("shares", "tensor"),
    "reduce_scatter": ("shares", "output", "op"),
    "gather": ("shares", "tensor"),
    "scatter": ("shares", "tensor"),
    "all_to_all": ("shares", ""),
    "all_to_all_single": ("shares", "input"),
}


class Guard:
    def __init__(self, live):
        self.live = live
        self.groups = {}  # by id: Group
        self.names = {}  # how many groups had a name: they are made anew, each is counted by itself
        self.local = threading.local()
        live.after.append(self.write)

    def actions(self):
        return {"torch.distributed.distributed_c10d": self.attach} if os.environ.get(SWITCH) == "1" else {}

    def attach(self, module):
        for name, how in OPERATIONS.items():
            original = getattr(module, name, None)
            if original is None:
                continue
            imports.put(module, name, self.watching(original, name, how))

    def watching(self, original, name, how):
        guard, local, signature = self, self.local, inspect.signature(original)

        @functools.wraps(original)
        def collective(*args, **kwargs):
            if getattr(local, "inside", False) or gate.compiling():
                return original(*args, **kwargs)  # a part of another one
            try:
                guard.called(name, how, signature.bind(*args, **kwargs).arguments)
            except Exception as e:
                guard.live.report("collective", e)
            local.inside = True
            try:
                return original(*args, **kwargs)
            finally:
                local.inside = False

        return collective

    def called(self, name, how, given):
        dist = sys.modules["torch.distributed"]
        group = given.get("group")
        place = dist.get_rank(group)
        if place < 0:
            return  # not of this group: nothing is done
        kept = self.group(dist, group, place)
        if kept is not None:
            file, line, _ = caller.place(3)
            kept.add(described(name, how, given, kept), "%s:%d" % (os.path.basename(file), line))

    def group(self, dist, group, place):
        group = group or dist.group.WORLD
        key = id(group)
        kept = self.groups.get(key)
        if kept is not None and kept.of is group:
            return kept
        if len(self.groups) >= MAX_GROUPS:
            return None
        ranks = list(dist.get_process_group_ranks(group)) if hasattr(dist, "get_process_group_ranks") else list(range(dist.get_world_size(group)))
        name = str(getattr(group, "group_name", "") or "")
        n = self.names[name] = self.names.get(name, 0) + 1
        kept = self.groups[key] = Group(self.live, group, name if n == 1 else "%s (%d)" % (name, n), ranks, place, dist.get_rank())
        return kept

    def write(self):
        for kept in self.groups.values():
            kept.end()

    def forked(self):
        self.groups, self.names, self.local = {}, {}, threading.local()


class Group:
    """The calls of this rank in one group. The group is kept alive: its number would
    be given to another one."""

    def __init__(self, live, of, name, ranks, place, rank):
        self.live, self.of, self.place, self.size = live, of, place, len(ranks)
        self.text = "the collectives of ranks %s" % ",".join(map(str, ranks[:MAX_SIZES]))
        self.group = "%s, group %s" % (self.text, name) if name else self.text
        self.member = "rank %d" % rank
        self.n = self.digest = 0
        self.lock = threading.Lock()

    def add(self, text, where):
        with self.lock:
            self.n += 1
            n = self.n
            if ";" not in text:  # shares are each rank's own
                self.digest = zlib.crc32(text.encode(), self.digest)
        if n <= IN_FULL:
            self.put("call %d" % n, "%s @ %s" % (text, where))
        elif n % (1 << max(n.bit_length() - 1 - FINENESS, 6)) == 0:
            self.put("until %d" % n, "%08x" % (self.digest & 0xFFFFFFFF))

    def put(self, name, value):
        self.live.out.write("held", {
            "code": CODE, "effect": "degrade", "group": self.group, "member": self.member, "expect": "meets", "text": self.text,
            "items": [{"step": max(self.live.step, 0) + 1, "name": name, "value": value}],
        })

    def end(self):
        if self.n and self.size > 1:
            self.put("calls", "%d" % self.n)


def described(name, how, given, group):
    """In words that two ranks have alike, and behind them what only fits together:
    op type shape; sent ...; received ...; place."""
    kind = how[0]
    head = [name, operator(given.get("op")) if "op" in how else ""]
    head += [word(k, given[k]) for k in how[2:] if k != "op" and given.get(k) is not None]
    tensor = given.get(how[1]) if len(how) > 1 else None
    if kind == "shares":
        sent, received, of = SHARES[name](given, group)
        head.append(kind_of(of))
        return "%s; sent %s; received %s; place %d" % (words(head), sizes(sent), sizes(received), group.place)
    if tensor is not None:
        head.append(kind_of(tensor))
        head.append("x".join(map(str, tensor.shape)) if kind == "whole" else str(tensor.numel()))
    return words(head)


def words(head):
    return " ".join(part for part in head if part)


def kind_of(t):
    return str(t.dtype).replace("torch.", "")


def operator(op):
    """As <RedOpType.MAX: 3>; one with a factor in it has no name."""
    text = "SUM" if op is None else str(op).rpartition(".")[2]
    return text.rstrip(">").partition(":")[0] if " " not in text.partition(":")[0] else "weighted"


def word(name, value):
    return "%s %s" % ({"src": "from", "group_src": "from place", "dst": "to", "group_dst": "to place"}[name], value)


def sizes(list_):
    return " ".join(map(str, list_)) if len(list_) <= MAX_SIZES else ""


# What goes to each place of the group, and what is expected from each.

def all_gather(given, group):
    tensor = given["tensor"]
    return [tensor.numel()] * group.size, [t.numel() for t in given["tensor_list"]], tensor


def reduce_scatter(given, group):
    return [t.numel() for t in given["input_list"]], [given["output"].numel()] * group.size, given["output"]


def gather(given, group):
    tensor, rows = given["tensor"], given.get("gather_list")
    at = rooted(given, "dst", group)
    return [tensor.numel() if i == at else 0 for i in range(group.size)], [t.numel() for t in rows] if rows else [0] * group.size, tensor


def scatter(given, group):
    tensor, rows = given["tensor"], given.get("scatter_list")
    at = rooted(given, "src", group)
    return [t.numel() for t in rows] if rows else [0] * group.size, [tensor.numel() if i == at else 0 for i in range(group.size)], tensor


def all_to_all(given, group):
    rows = given["input_tensor_list"]
    return [t.numel() for t in rows], [t.numel() for t in given["output_tensor_list"]], rows[0]


def all_to_all_single(given, group):
    source = given["input"]
    return shares(source, given.get("input_split_sizes"), group.size), shares(given["output"], given.get("output_split_sizes"), group.size), source


def shares(tensor, splits, n):
    """In numbers: rows may be of several."""
    rows = tensor.shape[0] if tensor.ndim else 1
    if not splits:
        return [tensor.numel() // n] * n
    row = tensor.numel() // rows if rows else 0
    return [s * row for s in splits]


def rooted(given, name, group):
    """The place within the group that a rank of the world has."""
    at = given.get("group_" + name)
    if at is not None:
        return at
    rank = given.get(name)
    ask = getattr(sys.modules["torch.distributed"], "get_group_rank", None)
    return ask(group.of, rank or 0) if ask is not None else rank or 0


SHARES = {f.__name__: f for f in (all_gather, reduce_scatter, gather, scatter, all_to_all, all_to_all_single)}
