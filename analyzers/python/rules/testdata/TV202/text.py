import re
import traceback

from transformers import AutoTokenizer

tok = AutoTokenizer.from_pretrained("x")


def oom(model, batches, opt):
    for x in batches:
        try:
            model(x).backward()
            opt.step()
        except RuntimeError as e:
            if "out of memory" in str(e):  # want TV202 "an error of opt.step ends the run is decided by its text"
                continue
            raise


def by_trace(model, batches):
    for x in batches:
        try:
            print(tok.decode(model.generate(x)))
        except Exception:
            text = traceback.format_exc()
            if "CUDA" in text:  # want TV202 "decided by its text"
                raise


def by_args(model, x):
    try:
        return tok.decode(model.generate(x))
    except RuntimeError as e:
        if e.args[0].startswith("CUDA"):  # want TV202 "decided by its text"
            raise
        return ""


def by_pattern(model, x):
    try:
        return tok.decode(model.generate(x))
    except Exception as e:
        if re.search("device|driver", repr(e)):  # want TV202 "decided by its text"
            raise
        return ""


def is_systemic(err):
    text = str(err).lower()
    return any(p in text for p in ("cuda", "driver"))


def by_helper(model, files):
    rows = []
    for f in files:
        try:
            rows.append(tok.decode(model.generate(f)))
        except Exception as e:
            if not is_systemic(e):  # want TV202 "decided by its text"
                rows.append(str(e))
                continue
            raise
    return rows


def logged(model, x):
    try:
        return tok.decode(model.generate(x))
    except RuntimeError as e:
        if "CUDA" in str(e):  # ok: it only prints more
            print("is the device healthy?")
        raise


def other(path):
    try:
        return open(path).read()
    except Exception as e:
        if "No such file" in str(e):  # ok: nothing there comes from a device
            return ""
        raise


def by_type(model, x):
    try:
        return tok.decode(model.generate(x))
    except RuntimeError as e:
        if isinstance(e, MemoryError):  # ok: a type
            return ""
        raise


def narrow(model, x):
    try:
        return tok.decode(model.generate(x))
    except KeyError as e:
        if "name" in str(e):  # ok: a fault is no KeyError
            return ""
        raise
