"""What every check asks before it looks at a value, asked as cheaply as it can be:
whether what runs now is computed now, and whether there is time to look.

How a check hangs on:

    stepping.before.append(f)     f(optimizer): an update is about to be made
    stepping.listeners.append(f)  f(optimizer, ledger, scaled): it was made

Neither is called while something is compiled, traced or captured, nobody asks
again. What a listener does at each step costs microseconds: no loop over all
parameters (ledger.held() is their list, kept from step to step; look at a few,
in turn), no closure, no record. What costs more is done

    if live.step < gate.LOOKED_AT or live.budget.allows():
        with live.budget:
            ...

where all checks together stay below 1 % of the time, whoever asks. Values are
read where gate.unreadable() says that they can be, of tensors that gate.plain()
knows. A check that has nothing to look for any more takes its listener away
(stepping.leave(f)), or says so to itself in a flag, which its hook reads first."""

import sys
import time

LOOKED_AT = 10  # first steps in which values are read whatever it costs
SHARE = 0.01  # of the time of the run, afterwards

_asked = (None,) * 6


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


def compiling():
    """Whether what runs is not computed now: it is compiled, traced, transformed
    by vmap or grad, or captured into a graph of a device. No value may be read."""
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    of, is_compiling, tracing, transforms, cuda_began, capturing = _asked
    if of is not torch:
        of, is_compiling, tracing, transforms, cuda_began, capturing = attach(torch)
    return is_compiling() or tracing() is not None or transforms() is not None or (cuda_began() and capturing())


def unreadable():
    """Whether no value may be read: also where somebody watches, or fakes, each
    operation that is made."""
    return compiling() or watching(sys.modules["torch"]) > 0


def watching(torch):
    ask = getattr(torch._C, "_len_torch_dispatch_stack", None)
    return ask() if ask is not None else 0


def attach(torch):
    """The questions of this torch, looked up once."""
    global _asked
    c = torch._C
    cuda = getattr(torch, "cuda", None)
    asked = (
        torch,
        getattr(getattr(torch, "compiler", None), "is_compiling", None) or never,
        c._get_tracing_state,
        getattr(getattr(c, "_functorch", None), "peek_interpreter_stack", None) or nothing,
        getattr(cuda, "is_initialized", None) or never,
        getattr(cuda, "is_current_stream_capturing", None) or never,
    )
    if not getattr(getattr(torch, "__spec__", None), "_initializing", False):
        _asked = asked
    return asked


def never():
    return False


def nothing():
    return None


def plain(t):
    """A tensor whose values are all here: no shard, no unknown subclass."""
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    kind = type(t)
    return (kind is torch.Tensor or kind is torch.nn.Parameter) and t.layout is torch.strided
