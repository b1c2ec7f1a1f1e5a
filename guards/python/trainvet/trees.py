"""The sources of the trainer as trees, each read once: in which statement a line lies,
and what the zeros in a file are there for."""

import ast
import linecache
import sys

from trainvet import defaults

MOST = 32  # files
LARGE = 20000  # lines of a file that is not looked at
ASKS = ("isnan", "isinf", "isnull", "isna", "isfinite")  # whether there is a number
ABSENT = ("get", "getattr", "pop", "setdefault")  # give a number where there is none

_trees = {}


def of(name):
    if name not in _trees and len(_trees) < MOST:
        tree = parsed(name)
        _trees[name] = Tree(tree, name) if tree is not None else None
    return _trees.get(name)


def parsed(name):
    """None: there is no source, or none that can be read."""
    lines = linecache.getlines(name)
    try:
        return ast.parse("".join(lines)) if 0 < len(lines) <= LARGE else None
    except (SyntaxError, ValueError, RecursionError):  # a cell with magic in it
        return None


def key(node):
    """The expression between the brackets of a subscript."""
    return node.slice.value if type(node.slice).__name__ == "Index" else node.slice  # Index: before Python 3.9


class Tree:
    def __init__(self, tree, name):
        self.name = name
        self.statements = [n for n in ast.walk(tree) if isinstance(n, ast.stmt)]
        self.replacing = set()  # ids of zeros that are put in the place of what is missing
        self.names = set()  # (line of the function's own, name) that are set to such a zero
        self.begun = set()  # names that begin as 0, and are no sums
        self.other = False  # whether another zero can be the value of something
        self.zeros(tree)

    def statement(self, line):
        """The smallest one around a line."""
        around = [s for s in self.statements if s.lineno <= line <= s.end_lineno]
        return min(around, key=lambda s: s.end_lineno - s.lineno) if around else None

    def sets_missing(self, code, name):
        return (code.co_name, name) in self.names

    def stands(self, value, scope):
        """(effect, why) of a number that is the very one of a file: all of its functions
        share it, so what each 0 of the file is there for decides."""
        if not self.replacing or not defaults.owners(value, scope, sys._getframe(1)):
            return "", ""
        if self.other:
            return "unprove", "it is a 0 that stands in %s, perhaps in the place of what is missing" % self.short()
        return "poison", "it is the 0 that stands in %s in the place of what is missing" % self.short()

    def short(self):
        return self.name.replace("\\", "/").rpartition("/")[2]

    def zeros(self, tree):
        for function, node in owned(tree, "<module>"):
            self.replaces(function, node)
        kept = {id(z) for n in ast.walk(tree) for z in values_of(n)}
        sums = {title(n.target) for n in ast.walk(tree) if isinstance(n, ast.AugAssign)}
        self.begun = {name for n in ast.walk(tree) for name in set_to_zero(n) if id(n.value) not in self.replacing} - sums
        self.other = bool(kept - self.replacing or self.begun)

    def replaces(self, function, node):
        if isinstance(node, ast.Call) and called(node) in ABSENT and is_zero(node.args[-1] if len(node.args) > 1 else None):
            self.replacing.add(id(node.args[-1]))
        elif isinstance(node, ast.IfExp) and asks(node.test):
            self.replacing |= {id(n) for n in (node.body, node.orelse) if is_zero(n)}
        elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and is_zero(node.values[-1]):
            self.replacing.add(id(node.values[-1]))
        elif isinstance(node, ast.If) and asks(node.test):
            self.branch(function, node.body)
            self.branch(function, node.orelse)
        elif isinstance(node, ast.ExceptHandler):
            self.branch(function, node.body)

    def branch(self, function, body):
        for statement in body:
            if isinstance(statement, (ast.Assign, ast.Return, ast.AnnAssign)) and is_zero(statement.value):
                self.replacing.add(id(statement.value))
                self.names |= {(function, t.id) for t in getattr(statement, "targets", ()) if isinstance(t, ast.Name)}


def owned(node, function):
    """(name of the function that it stands in, node)."""
    for child in ast.iter_child_nodes(node):
        inner = child.name if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) else function
        yield inner, child
        yield from owned(child, inner)


def values_of(node):
    """Zeros with a fraction that may become the value of something: that are returned,
    or chosen. One that a name begins with is added to, or was never asked for."""
    held = ()
    if isinstance(node, ast.Return):
        held = [node.value]
    elif isinstance(node, ast.IfExp):
        held = [node.body, node.orelse]
    elif isinstance(node, ast.Call) and called(node) in defaults.CLAMPS:
        held = node.args
    elif isinstance(node, (ast.List, ast.Tuple)):
        held = node.elts
    elif isinstance(node, ast.Dict):
        held = node.values
    return [n for n in held if is_zero(n) and type(n.value) is float]


def set_to_zero(node):
    """The names that a statement sets to 0."""
    if not isinstance(node, (ast.Assign, ast.AnnAssign)) or not is_zero(node.value) or type(node.value.value) is not float:
        return []
    return [title(t) for t in getattr(node, "targets", None) or [node.target]]


def asks(test):
    """Whether a condition is whether there is a number: it calls isnan, compares a name
    with itself or with None, or looks for a key."""
    for n in ast.walk(test):
        if isinstance(n, ast.Call) and called(n) in ASKS:
            return True
        if isinstance(n, ast.Compare) and len(n.ops) == 1:
            if isinstance(n.ops[0], (ast.Is, ast.IsNot, ast.In, ast.NotIn)):
                return True
            if ast.dump(n.left) == ast.dump(n.comparators[0]):
                return True
    return False


def title(node):
    """The name by which an expression is known: of a variable, an attribute, a key."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript):
        inner = getattr(node.slice, "value", node.slice)
        return inner if isinstance(inner, str) else getattr(inner, "value", "")
    return ""


def called(node):
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def is_zero(node):
    return isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value == 0
