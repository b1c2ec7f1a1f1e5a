"""The two kinds of trouble, and their types: a Fault, the machine miscomputed or
may have; a QualityFinding, the model or the training is bad. They are not
related, so that a handler of one does not eat the other."""


class Fault(RuntimeError):
    """The machine miscomputed. Nothing that follows from the values is a
    measurement; a new process has to compute them again."""

    born = gone = None  # told of each one, and when nobody holds it any more

    def __init__(self, text, code=""):
        super().__init__(text)
        self.code = code
        if Fault.born is not None:
            Fault.born(self)

    def __del__(self):
        if Fault.gone is not None:
            Fault.gone(self)


class TokenRangeFault(Fault):
    """Token ids that no sound machine can have produced."""

    def __init__(self, text, code="", value=None, row=-1, column=-1):
        super().__init__(text, code)
        self.value, self.row, self.column = value, row, column


class QualityFinding(RuntimeError):
    """The training is bad; the machine is not known to be."""

    def __init__(self, text, code=""):
        super().__init__(text)
        self.code = code
