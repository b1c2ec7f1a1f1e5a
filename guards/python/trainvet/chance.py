"""Where a data pipeline draws its random numbers: the streams of Python, numpy and
torch that all share, and those that lie in the dataset, in its transforms, in the
collator or in the module that they come from. The state of each can be read for
some microseconds, and reading changes nothing."""

import collections
import random
import sys
import types
import zlib

from trainvet import caller

MAX_OBJECTS = 2000  # that are walked
MAX_DEPTH = 7
MAX_ITEMS = 64  # of a list or a table
MAX_STREAMS = 8  # that are held by objects

PLAIN = (int, float, str, bytes, bool, type(None), complex, type, types.ModuleType, range)


class Stream:
    """One stream of random numbers. Reading it gives the digest of its state, and
    a mark that tells whether it was seeded anew meanwhile."""

    def __init__(self, name, held, read):
        self.name, self.held, self.read = name, held, read


def shared():
    """The streams of the libraries that are loaded."""
    out = [Stream("random", None, lambda: of_python(random))]
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if numpy is not None and hasattr(numpy, "random"):
        out.append(Stream("numpy.random", None, legacy(numpy.random, getattr(getattr(numpy.random, "mtrand", None), "_rand", None))))
    if torch is not None:
        generator = torch.default_generator
        out.append(Stream("torch", None, lambda: of_torch(generator)))
    return out


def of_python(r):
    _, numbers, spare = r.getstate()
    return hash((numbers, spare or 0.0)) & 0xFFFFFFFFFFFFFFFF, None


def of_legacy(r):
    """numpy's first interface: a Mersenne twister and where it stands."""
    _, key, place, has_spare, _ = r.get_state()
    return zlib.crc32(key.tobytes()) << 20 | (place & 0x3FF) << 2 | has_spare, place


TWISTER = 624 * 4  # bytes of a Mersenne twister; behind them stands its place


def legacy(r, holder):
    """Reads it where it lies, which takes a hundredth of the time, if that gives
    what numpy says of it now."""
    import ctypes

    try:
        at = holder._bit_generator.ctypes.state_address
        state = (ctypes.c_char * (TWISTER + 4)).from_address(at)
        _, key, place, _, _ = r.get_state()
        if bytes(state) == key.tobytes()[:TWISTER] + bytes(ctypes.c_int(place)):
            return lambda: in_place(state, holder)
    except (AttributeError, TypeError, ValueError):  # another numpy
        pass
    return lambda: of_legacy(r)


def in_place(state, holder):
    """Holder keeps the state alive."""
    place = int.from_bytes(state[TWISTER:], sys.byteorder)
    return zlib.crc32(state) << 10 | place, place


def of_numpy(generator):
    return zlib.crc32(flat(generator.bit_generator.state)), None


def flat(state):
    if isinstance(state, dict):
        return b";".join(str(k).encode() + b"=" + flat(v) for k, v in state.items())
    return state.tobytes() if hasattr(state, "tobytes") else str(state).encode()


def of_torch(generator):
    from trainvet import replicas

    return replicas.crc(generator.get_state()), generator.initial_seed()


def held(roots):
    """The streams that lie in (name, object) pairs, or are named by the code of
    their classes."""
    return Walk().all(roots)


class Walk:
    def __init__(self):
        self.seen = set()
        self.found = []
        self.numpy, self.torch = sys.modules.get("numpy"), sys.modules.get("torch")
        self.opaque = tuple(t for t in (getattr(self.numpy, "ndarray", None), getattr(self.torch, "Tensor", None)) if t is not None)

    def all(self, roots):
        work = collections.deque((name, value, 0) for name, value in roots)
        while work and len(self.seen) < MAX_OBJECTS and len(self.found) < MAX_STREAMS:
            name, value, depth = work.popleft()
            if isinstance(value, PLAIN + self.opaque) or id(value) in self.seen:
                continue
            self.seen.add(id(value))
            stream = self.stream(name, value)
            if stream is not None:
                self.found.append(stream)
            elif depth < MAX_DEPTH:
                work.extend((n, v, depth + 1) for n, v in parts(name, value))
        return self.found

    def stream(self, name, value):
        if isinstance(value, random.Random):
            return None if isinstance(value, random.SystemRandom) else Stream(name, value, lambda: of_python(value))
        of = getattr(self.numpy, "random", None)
        if of is not None and isinstance(value, of.RandomState):
            return Stream(name, value, legacy(value, value))
        if of is not None and hasattr(of, "Generator") and isinstance(value, of.Generator):
            return Stream(name, value, lambda: of_numpy(value))
        if self.torch is not None and isinstance(value, self.torch.Generator) and value.device.type == "cpu":
            return Stream(name, value, lambda: of_torch(value))
        return None


def parts(name, value):
    """What an object holds, by name, without calling anything of it."""
    if isinstance(value, dict):
        return some(name, value.values())
    if isinstance(value, (list, tuple, set, frozenset)):
        return some(name, value)
    if isinstance(value, types.MethodType):
        return [(name, value.__self__), (name, value.__func__)]
    if isinstance(value, types.FunctionType):
        return of_function(name, value)
    out = []
    for holder in (vars_of(value), slots(value)):
        out += [(name + "." + k, v) for k, v in list(holder.items())[:MAX_ITEMS]]
    for attribute in ("func", "args", "keywords"):  # a partial
        if type(value).__name__ == "partial":
            out.append((name, getattr(value, attribute, None)))
    return out + of_class(name, type(value))


def some(name, values):
    out = []
    for v in values:
        if isinstance(v, (int, float, str)) or len(out) == MAX_ITEMS:
            break  # of one kind, mostly
        out.append((name, v))
    return out


def vars_of(value):
    try:
        d = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return d if isinstance(d, dict) else {}


def slots(value):
    names = [n for c in type(value).__mro__ for n in (c.__dict__.get("__slots__") or ()) if isinstance(n, str)] if hasattr(type(value), "__mro__") else []
    return {n: object.__getattribute__(value, n) for n in names[:MAX_ITEMS] if is_set(value, n)}


def is_set(value, name):
    try:
        object.__getattribute__(value, name)
    except AttributeError:
        return False
    return True


def of_class(name, cls):
    """What the trainer's own classes hold, and what their code names."""
    out = []
    for c in cls.__mro__:
        if c is object or foreign(c.__module__):
            continue
        for k, v in list(vars(c).items()):
            if isinstance(v, (staticmethod, classmethod)):
                v = v.__func__
            out.append((name if isinstance(v, types.FunctionType) else "%s.%s" % (c.__name__, k), v))
    return out


def of_function(name, f):
    """Closures, defaults, and the globals that its code names."""
    out = []
    for cell in f.__closure__ or ():
        try:
            out.append((name, cell.cell_contents))
        except ValueError:  # not filled yet
            pass
    out += [(name, v) for v in f.__defaults__ or ()]
    if foreign(f.__module__):
        return out
    for n in names_of(f.__code__):
        v = f.__globals__.get(n)
        if v is not None:
            out.append((n, v))
    return out


def names_of(code):
    out = list(code.co_names)
    for c in code.co_consts:  # comprehensions, lambdas
        if isinstance(c, types.CodeType):
            out += c.co_names
    return out


def foreign(module):
    """Not the trainer's own: what such code draws, it draws from streams that its
    objects hold, or from the shared ones."""
    module = module or ""
    return caller.of_library(module) or module.partition(".")[0] in FOREIGN


FOREIGN = ("numpy", "torchvision", "torchaudio", "datasets", "PIL", "cv2", "scipy", "pandas", "sklearn", "builtins", "random", "typing", "collections", "functools", "abc")
