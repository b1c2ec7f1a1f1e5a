"""Compares what a device computed with float64 on the CPU."""

# How far a result may lie from the reference, relative to its size: a hundred
# times what the dtype's rounding makes of sums of the sizes used here.
TOLERANCE = {"float64": 1e-9, "float32": 1e-4, "float16": 1e-2, "bfloat16": 5e-2}

# From here on a result is called too large or too small, not inexact.
SCALED = 0.05


def measure(got, want):
    """Relative error, and the factor by which got is larger than want."""
    got = got.detach().cpu().double().reshape(-1)
    want = want.detach().cpu().double().reshape(-1)
    if got.shape != want.shape:
        return float("inf"), float("nan")
    if not bool(got.isfinite().all()):
        same = bool((got.isfinite() == want.isfinite()).all())
        if not same:
            return float("inf"), float("nan")
        keep = want.isfinite()
        got, want = got[keep], want[keep]
    size = float((want * want).sum())
    error = float(((got - want) * (got - want)).sum()) ** 0.5
    if size == 0.0:
        return (0.0 if error == 0.0 else float("inf")), 1.0
    return error / size**0.5, float((got * want).sum()) / size


class Judgement:
    """Collects comparisons of one check."""

    def __init__(self):
        self.worst = 0.0
        self.inflation = 1.0
        self.faults = []
        self.compared = 0

    def tensor(self, what, got, want, dtype):
        error, factor = measure(got, want)
        self.compared += 1
        if error <= TOLERANCE[dtype]:
            self.worst = max(self.worst, error)
            return
        self.worst = max(self.worst, error)
        if factor == factor and abs(factor - 1) > abs(self.inflation - 1):
            self.inflation = factor
        self.faults.append("%s: %s" % (what, words(error, factor)))

    def exact(self, what, got, want):
        self.compared += 1
        if got.shape != want.shape or not bool((got.cpu() == want.cpu()).all()):
            self.worst = float("inf")
            self.faults.append("%s differs" % what)

    def result(self):
        numbers = {"compared": self.compared, "error": self.worst, "inflation": self.inflation}
        if self.faults:
            more = "" if len(self.faults) < 4 else " and %d more" % (len(self.faults) - 3)
            return False, "; ".join(self.faults[:3]) + more, numbers
        return True, "%d tensors, error at most %.1e" % (self.compared, self.worst), numbers


def words(error, factor):
    if factor != factor:
        return "not finite, or of another shape"
    if factor > 1 + SCALED:
        return "%.3g times too large (relative error %.2g)" % (factor, error)
    if 0 < factor < 1 - SCALED:
        return "%.3g of its true size (relative error %.2g)" % (factor, error)
    return "relative error %.2g" % error
