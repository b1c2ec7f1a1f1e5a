"""From the first call of torch.compile, torch.jit.script or torch.export on no
hook is put on a module, and those that are there are taken away: a compiler
looks at them, and would compile them or refuse to.

Functions of trainvet that are called between two graphs (backward, the step of an
optimizer) are none that it should look at: their code is marked to be left."""

import functools
import sys
import types

from trainvet import gate, imports


class Guard:
    def __init__(self, live, *leave):
        self.live, self.leave = live, leave

    def actions(self):
        return {
            "torch": lambda m: (known(m), unseen(m), self.all(self.leaves, (m, "compile"), (m.nn.Module, "compile"), (m.jit, "script"))),
            "torch.export": lambda m: self.all(self.leaves, (m, "export"), (m, "export_for_training")),
            "torch._dynamo": lambda m: self.all(self.leaves, (m, "optimize"), (m, "optimize_assert"), (m, "export")),
            "torch.jit._trace": lambda m: self.all(gate.records, (m, "trace"), (m, "trace_module"), (m, "_get_trace_graph")),
            "torch.cuda.graphs": lambda m: self.all(gate.records, (m.CUDAGraph, "capture_begin")),
        }

    def all(self, note, *functions):
        for owner, name in functions:
            original = getattr(owner, name, None)
            if original is not None:
                imports.put(owner, name, noticing(original, note))

    def leaves(self):
        """A compiler looks at hooks; one that traces or captures calls them."""
        gate.records()
        try:
            for leave in self.leave:
                leave()
        except Exception as e:
            self.live.report("compile", e)


def noticing(original, note):
    @functools.wraps(original)
    def noticed(*args, **kwargs):
        note()
        return original(*args, **kwargs)

    return noticed


def known(torch):
    """What was called before trainvet was there, nobody has noticed."""
    cuda = getattr(torch, "cuda", None)
    if "torch._dynamo" in sys.modules or (hasattr(cuda, "is_initialized") and cuda.is_initialized()):
        gate.records()


def unseen(torch):
    """Marks the code of trainvet, once all of it is there."""
    mark = marker(torch)
    if mark is not None:
        for code in ours():
            mark(code)


def marker(torch):
    """None before torch 2.1, whose compiler takes no such mark."""
    frames = getattr(getattr(torch._C, "_dynamo", None), "eval_frame", None)
    if hasattr(frames, "skip_code"):
        return frames.skip_code
    if not hasattr(frames, "set_code_exec_strategy"):
        return None
    leave = frames._FrameExecStrategy(frames._FrameAction.SKIP, frames._FrameAction.DEFAULT)
    return lambda code: frames.set_code_exec_strategy(code, leave)


def ours():
    """All code of trainvet's modules, with that of functions within functions."""
    work = [v for name, m in list(sys.modules.items()) if name.split(".")[0] == "trainvet" for v in list(vars(m).values())]
    while work:
        v = work.pop()
        if isinstance(v, types.FunctionType) and (v.__module__ or "").split(".")[0] == "trainvet":
            v = v.__code__
        if isinstance(v, types.CodeType):
            yield v
            work += v.co_consts
        elif isinstance(v, type) and (v.__module__ or "").split(".")[0] == "trainvet":
            work += vars(v).values()
        elif isinstance(v, (staticmethod, classmethod)):
            work.append(v.__func__)
