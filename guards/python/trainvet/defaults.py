"""Evaluations of nothing: a pass over a loader that gave no batch, and values that
are reported and were never computed, since they are a number of the source."""

import collections
import sys

from trainvet import caller

MAX_SAID = 64
EVALUATED = {"val", "valid", "validation", "eval", "test", "dev", "acc", "accuracy", "ap", "map", "map50", "iou", "miou", "f1", "auc", "auroc", "bleu", "rouge",
             "wer", "cer", "precision", "recall", "dice", "psnr", "ssim"}
BY_RULE = {"f1", "fscore", "fmeasure", "dice", "bleu", "rouge", "mcc", "kappa"}  # 0 by definition where nothing fits, and written so
MISSING = {"isnan", "isfinite", "isinf", "isnull", "isna", "notna", "nan_to_num", "fillna", "get", "getattr", "setdefault", "pop",
           "KeyError", "AttributeError", "ZeroDivisionError", "ValueError", "RuntimeError", "Exception", "BaseException"}  # asked by who replaces
CLAMPS = ("max", "min", "clip", "clamp", "maximum", "minimum")


# The code in which a number stands, and whether that asks for what is missing: else
# the 0 may be the value where nothing was right, written as a case of its own.
Written = collections.namedtuple("Written", "code replaces")


class Guard:
    """Loaders tells of each pass that came to its end."""

    def __init__(self, live, loaders, modes):
        self.live, self.loaders, self.modes = live, loaders, modes
        self.said = 0
        loaders.ended.append(self.ended)

    def ended(self, drawn):
        """An evaluation, where its mode says so: a training of nothing makes no step,
        which the ledgers show. Beside another loader that trains it may be one."""
        if drawn.batches or self.said >= MAX_SAID:
            return
        effect = "poison" if self.evaluates() else "unprove" if self.beside_training(drawn) else ""
        if not effect:
            return
        self.said += 1
        n, size = drawn.known, drawn.size
        if n is None:
            text = "a pass over a loader gave no batch"
        elif n and size and n < size:
            text = "a pass over a loader of %d samples gave no batch: its batches are of %d and the last one is dropped" % (n, size)
        else:
            text = "a pass over a loader of %d samples gave no batch" % n
        at = max(self.live.step, 0)
        self.live.finding("empty-evaluation", effect, text + ": what is reported of it is a default", since=at)

    def evaluates(self):
        torch = sys.modules["torch"]
        roots = list(self.modes.roots.values())
        return not torch.is_grad_enabled() or (bool(roots) and not any(r.training for r in roots))

    def beside_training(self, drawn):
        loader = drawn.loader()
        return self.live.step > 0 and loader is not None and loader not in self.loaders.trained

    def forked(self):
        self.said = 0


def evaluates(name):
    """Whether a value of this name comes from an evaluation. What is best so far
    may be what it was set to at the start."""
    words = set("".join(c if c.isalnum() else " " for c in name.lower()).split())
    return bool(words & EVALUATED) and "best" not in words and not words & BY_RULE


def written(value):
    """Whether a reported 0 is one that stands in the source, as what is put in the
    place of a missing value does: a number that was computed is another object.
    Not where the source bounds a number by it, or answers yes and no."""
    frame, depth = sys._getframe(1), 0
    while frame is not None and depth < 64:
        if not caller.of_library(frame.f_globals.get("__name__") or ""):
            found = stands(value, frame.f_globals)
            if found is not None:
                return found
        frame, depth = frame.f_back, depth + 1
    return None


def stands(value, scope):
    """The function of a module, or the module, in which a number stands as what it is
    where nothing else is."""
    found = owners(value, scope, sys._getframe(2))
    if any(n in CLAMPS for code in found for n in code.co_names) or any(type(c) is float and c == 1 for code in found for c in code.co_consts):
        return None  # functions of a file share their numbers: it may be the bound, or the other half of a yes and no
    return Written(found[0], any(n in MISSING for code in found for n in code.co_names)) if found else None


def owners(value, scope, frame):
    """The functions of a module, and those that run, in which a number stands."""
    codes = [f.__code__ for f in list(scope.values()) if hasattr(f, "__code__") and getattr(f, "__module__", "") == scope.get("__name__")]
    for c in [c for c in list(scope.values()) if isinstance(c, type) and c.__module__ == scope.get("__name__")]:
        codes += [f.__code__ for f in vars(c).values() if hasattr(f, "__code__")]
    while frame is not None:
        if frame.f_globals is scope:
            codes.append(frame.f_code)
        frame = frame.f_back
    codes += [c for code in codes[:4096] for c in code.co_consts if hasattr(c, "co_consts")]  # functions within them
    return [code for code in codes[:4096] if any(c is value for c in code.co_consts)]
