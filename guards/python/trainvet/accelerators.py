"""Which accelerators a process could compute on, asked without starting a driver
that is not started: a process that forks later must find it as it was."""

import os
import sys

DRIVERS = (("/dev/nvidia0", "an NVIDIA device", "cuda"), ("/dev/kfd", "an AMD device", "hip"))


class Accelerator:
    def __init__(self, kind, name, why=""):
        self.kind, self.why = kind, why  # why: the framework does not use it
        self.text = name

    def used(self, device):
        """Whether it is the one that a device string names: cuda is cuda:0."""
        return device == self.text or (device == self.kind and self.text in (self.kind, self.kind + ":0"))


def seen():
    torch = sys.modules.get("torch")
    if torch is None:
        return []
    found = cuda(torch) + others(torch)
    return found or not_built(torch)


def cuda(torch):
    if getattr(torch.version, "cuda", None) is None and getattr(torch.version, "hip", None) is None:
        return []
    ask = getattr(torch.cuda, "_device_count_nvml", None)
    n = torch.cuda.device_count() if torch.cuda.is_initialized() or ask is None else ask()
    return [Accelerator("cuda", "cuda:%d" % i) for i in range(max(n, 0))]


def others(torch):
    found = []
    mps = getattr(getattr(torch, "backends", None), "mps", None)
    if mps is not None and mps.is_available():
        found.append(Accelerator("mps", "mps"))
    xpu = getattr(torch, "xpu", None)
    if xpu is not None and getattr(torch.version, "xpu", None) and xpu.is_initialized():
        found += [Accelerator("xpu", "xpu:%d" % i) for i in range(xpu.device_count())]
    return found


def not_built(torch):
    """A device is there, and this build of the framework knows none of its kind."""
    found = []
    for path, text, kind in DRIVERS:
        if os.path.exists(path) and getattr(torch.version, "cuda" if kind == "cuda" else "hip", None) is None:
            found.append(Accelerator(kind, text, "the installed PyTorch %s is not built for it" % torch.__version__))
    return found
