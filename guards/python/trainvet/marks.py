"""A parameter that stands for all of its optimizer, and what became of its gradient
between two steps. Nothing is kept alive."""

import weakref

from trainvet.gate import plain


class Mark:
    """A parameter, and its gradient as a step left it."""

    __slots__ = ("parameter", "gradient", "version", "added", "cleared", "kept")

    def __init__(self, parameter):
        self.parameter, self.gradient = weakref.ref(parameter), None
        self.version, self.added = 0, False
        self.cleared = self.kept = False  # since the step; kept: it was the same one at the step before

    def stands(self, gradient):
        """Whether it is still the parameter's, as it was."""
        parameter = self.parameter()
        return parameter is not None and parameter.grad is gradient and gradient._version == self.version

    def look(self):
        """After a backward."""
        gradient = self.gradient()
        if gradient is not None and gradient._version != self.version:
            self.added, self.version = True, gradient._version

    def anew(self):
        """Whether the step that was made now had a gradient that no step had before."""
        parameter = self.parameter()
        gradient = parameter.grad if parameter is not None else None
        if gradient is None or self.gradient() is gradient:
            return False
        self.gradient = weakref.ref(gradient)
        return True

    def used(self):
        """By a step that was made now: whether one before had used it, and more was
        added. None: there is no gradient."""
        parameter = self.parameter()
        gradient = parameter.grad if parameter is not None else None
        if gradient is None:
            return None
        self.kept = self.gradient is not None and self.gradient() is gradient
        again = self.kept and self.added and not self.cleared
        if plain(gradient):
            self.gradient, self.version = weakref.ref(gradient), gradient._version
            self.added = self.cleared = False
        return again
