"""What every check asks before it looks at a value, asked as cheaply as it can be:
whether what runs now is computed now, and whether there is time to look.

How a check hangs on, the cheapest first:

    stepping.beginning.append(f)      f(optimizer): before the first update of each optimizer
    stepping.seldom_before.append(f)  f(optimizer): before an update, and
    stepping.seldom.append(f)         f(optimizer, ledger, scaled): after it, at the first 32
                                      steps, at each eighth until step 256, at each 32nd
                                      behind it, and up to step ledger.close,
                                      which a check sets that has to look closely
    stepping.before.append(f)         the same at each step: for what no later look shows
    stepping.listeners.append(f)
    training.watchers.append(f)       f(loss): before each backward
    training.odd.append(f)            f(loss): where the loss is 0 or not finite

None is called while something is compiled, traced or captured, nobody asks again.
All of them shrink: a check that has nothing to look for any more, or not now, leaves
(event.leave(f)) and comes back when there is something. What a listener does at each
step costs a microsecond: no loop over all parameters (ledger.held() is their list, for
looks that are seldom; look at a few, in turn), no closure, no record. What costs more
is done

    if live.step < gate.LOOKED_AT or live.budget.allows():
        with live.budget:
            ...

where all checks together stay below SHARE of the time, whoever asks. Values are
read where gate.unreadable() says that they can be, of tensors that gate.plain()
knows."""

import sys
import time

LOOKED_AT = 10  # first steps in which values are read whatever it costs
SHARE = 0.005  # of the time of the run, afterwards: half of what is promised, the other half is for what each step costs

recorders = False  # whether one was called that writes down what runs: before that nobody asks whether one is at work
_is_compiling = None  # asks the torch that is there, once all of it is; and so do these
_tracing = _transforms = _watchers = None
_captures = None  # (whether the device was begun, whether it captures); None: this torch captures nothing
_kinds = (None,) * 3  # of this torch: Tensor, Parameter, the layout of plain tensors


class Budget:
    """The time that all checks of a process spend on what is not free."""

    def __init__(self, clock=time.monotonic):
        self.clock = clock
        self.began, self.spent = clock(), 0.0
        self.since, self.depth = 0.0, 0

    def allows(self):
        return self.spent <= SHARE * (self.clock() - self.began)

    def __enter__(self):
        if self.depth == 0:
            self.since = self.clock()
        self.depth += 1

    def __exit__(self, *error):
        self.depth -= 1
        if self.depth == 0:
            self.spent += self.clock() - self.since


def recording():
    """Whether what runs is written down and not computed now: it is compiled,
    traced, or captured into a graph of a device. At each step this is asked alone:
    it costs nothing as long as nobody calls for any of them, which is noticed."""
    return recorders and at_work()


def at_work():
    if _is_compiling is None and not attach():
        return False
    return _is_compiling() or _tracing() is not None or (_captures is not None and _captures[0]() and _captures[1]())


def compiling():
    """Whether what runs is not computed now: it is recorded, or transformed by vmap
    or grad. No value may be read."""
    if _transforms is None and not attach():
        return False
    return (recorders and at_work()) or _transforms() is not None


def records():
    """One is called that writes down what runs, now or later."""
    global recorders
    recorders = True


def unreadable():
    """Whether no value may be read: also where somebody watches, or fakes, each
    operation that is made."""
    if _transforms is None and not attach():
        return False
    return (recorders and at_work()) or _transforms() is not None or _watchers() != 0


def attach():
    """The questions of this torch, looked up once, when all of it is there; False:
    there is none."""
    global _is_compiling, _tracing, _transforms, _watchers, _captures
    torch = sys.modules.get("torch")
    if torch is None or getattr(getattr(torch, "__spec__", None), "_initializing", False):
        return False  # nobody computes yet
    c = torch._C
    cuda = getattr(torch, "cuda", None) if has_graphs(torch) else None
    _tracing = c._get_tracing_state
    _transforms = getattr(getattr(c, "_functorch", None), "peek_interpreter_stack", None) or nothing
    _watchers = getattr(c, "_len_torch_dispatch_stack", zero)
    _captures = (cuda.is_initialized, cuda.is_current_stream_capturing) if hasattr(cuda, "is_initialized") and hasattr(cuda, "is_current_stream_capturing") else None
    _is_compiling = getattr(getattr(torch, "compiler", None), "is_compiling", None) or never
    return True


def has_graphs(torch):
    """Whether this torch can capture what is made into a graph of a device."""
    version = getattr(torch, "version", None)
    return version is None or bool(getattr(version, "cuda", None) or getattr(version, "hip", None))


def never():
    return False


def nothing():
    return None


def zero():
    return 0


def plain(t):
    """A tensor whose values are all here: no shard, no unknown subclass."""
    tensor, parameter, strided = _kinds
    if tensor is None:
        tensor, parameter, strided = kinds()
    kind = type(t)
    return (kind is tensor or kind is parameter) and t.layout is strided


def kinds():
    global _kinds
    torch = sys.modules.get("torch")
    nn = getattr(torch, "nn", None)
    if nn is None:
        return (Nothing,) * 3
    found = torch.Tensor, nn.Parameter, torch.strided
    if not getattr(getattr(torch, "__spec__", None), "_initializing", False):
        _kinds = found
    return found


class Nothing:
    """Stands for the kinds of a torch that is not there."""
