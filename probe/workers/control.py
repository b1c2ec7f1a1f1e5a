"""Checks that cannot fail on a sound probe, whatever the device does.

They use the CPU and the very comparison that judges devices: equal results
must pass, and a result that is known to be wrong must not.
"""

import platform
import sys


def facts():
    out = {"python": platform.python_version(), "executable": sys.executable}
    try:
        import torch
    except Exception as err:  # a broken installation raises anything
        out["torch_error"] = "%s: %s" % (type(err).__name__, str(err)[:200])
        return out
    import os

    out["torch"] = torch.__version__
    out["torch_folder"] = os.path.dirname(torch.__file__)
    out["cuda"] = torch.version.cuda or ""
    out["hip"] = getattr(torch.version, "hip", None) or ""
    try:
        out["cudnn"] = str(torch.backends.cudnn.version() or "")
    except Exception:
        out["cudnn"] = ""
    for name in ("torchvision", "torchaudio"):
        out[name] = installed(name)
    out["devices"] = devices(torch)
    return out


def installed(name):
    """The version that is installed, which is not always the one that a fix was merged into."""
    try:
        from importlib import metadata

        return metadata.version(name)
    except Exception:
        return ""


def devices(torch):
    """Devices that this framework can use, each with its name."""
    found = {"cpu": platform.processor() or platform.machine()}
    try:
        if torch.cuda.is_available():
            for i in range(torch.cuda.device_count()):
                found["cuda:%d" % i] = torch.cuda.get_device_name(i)
    except Exception as err:
        found["cuda_error"] = str(err)[:200]
    mps = getattr(torch.backends, "mps", None)
    if mps is not None and mps.is_available():
        found["mps"] = "Metal"
    xpu = getattr(torch, "xpu", None)
    if xpu is not None and xpu.is_available():
        for i in range(xpu.device_count()):
            found["xpu:%d" % i] = xpu.get_device_name(i)
    return found


def checks(request, user):
    return [("control", control)]


def control():
    if sum(range(1000)) != 499500 or abs(0.1 + 0.2 - 0.3) > 1e-15:
        return False, "plain arithmetic is wrong", {}
    try:
        import torch
    except Exception:
        return True, "plain arithmetic; there is no torch", {}
    from compare import Judgement

    x = torch.arange(1, 257, dtype=torch.float64).reshape(16, 16) / 256
    same, wrong, rounded = Judgement(), Judgement(), Judgement()
    same.tensor("equal", x, x.clone(), "float64")
    rounded.tensor("rounded", x.float(), x, "float32")
    wrong.tensor("wrong", x * 2.96, x, "float32")
    if not same.result()[0] or not rounded.result()[0]:
        return False, "equal tensors are taken for different ones", {}
    if wrong.result()[0] or abs(wrong.inflation - 2.96) > 1e-9:
        return False, "a tensor 2.96 times too large is taken for right", {}
    return True, "equal passes, 2.96 times too large does not", {}
