"""What a line that prints has formatted: the expressions, by the source of the line,
and the objects that they name, as they lie there. Nothing of the trainer is run: no
property, no method, no operator."""

import ast
import re

from trainvet import caller, trees
from trainvet.trees import called, is_zero, title

UNKNOWN = object()
PLACE = re.compile(r"%[-+ #0]*[\d*]*(?:\.[\d*]+)?[a-zA-Z]|\{[^{}]*\}")  # in a text that others are put into
SAME = ("float", "round", "abs", "str", "format")  # give on what they are given


class Line:
    """The statement in which a frame stands."""

    @classmethod
    def at(cls, frame):
        tree = trees.of(frame.f_code.co_filename)
        statement = tree.statement(frame.f_lineno) if tree is not None else None
        return cls(tree, statement, frame) if statement is not None else None

    def __init__(self, tree, statement, frame):
        self.tree, self.statement, self.code = tree, statement, frame.f_code
        self.locals, self.globals = caller.locals_of(frame), frame.f_globals

    # which expressions

    def of(self, name, alone):
        """Those that may have given the value of a name: what stands behind it in a
        text, what is named so, what a dictionary holds by that name; where it is the
        only value that is 0, whatever is formatted."""
        last = name.rpartition("/")[2]
        formatted = list(self.formatted())
        for before, node in formatted:
            if before.rstrip(" :=|\"'").endswith(name):
                return [node]
        for _, node in formatted:
            if title(node) in (name, last):
                return [node]
        for node in ast.walk(self.statement):
            held = self.value(node) if isinstance(node, ast.Name) else None
            if type(held) is dict:
                key = next((k for k in (name, last) if k in held), None)
                if key is not None:
                    return [Held(held[key])]
        return [node for _, node in formatted] if alone else []

    def formatted(self):
        """(the text before it, expression)."""
        for node in ast.walk(self.statement):
            if isinstance(node, ast.JoinedStr):
                before = ""
                for part in node.values:
                    if isinstance(part, ast.FormattedValue):
                        yield before, part.value
                    before = part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else ""
            elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and is_text(node.left):
                yield from put_into(node.left.value, node.right.elts if isinstance(node.right, ast.Tuple) else [node.right])
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format" and is_text(node.func.value):
                yield from put_into(node.func.value.value, node.args + [k.value for k in node.keywords])
            elif isinstance(node, ast.Call) and node.args and is_text(node.args[0]) and len(places(node.args[0].value)) == len(node.args):
                yield from put_into(node.args[0].value, node.args[1:])
            elif isinstance(node, ast.Call):
                before = ""
                for part in node.args + [k.value for k in node.keywords]:
                    if is_text(part):
                        before = part.value
                    elif not isinstance(part, (ast.JoinedStr, ast.Starred)):
                        yield before, part
                        before = ""

    # what they gave

    def filled(self, node, made):
        """(effect, why) where an expression gave a 0 in the place of what is missing."""
        why = self.by_itself(node, made)
        if why:
            return "poison", why
        value = self.value(node)
        if any(value is zero for zero, _ in made):
            return "poison", "nan_to_num made it of a NaN"
        if type(value) is int and value == 0 and isinstance(node, ast.Name) and self.tree.sets_missing(self.code, node.id):
            return "poison", "it is set to 0 where it is not a number"
        if type(value) is float and value == 0 and title(node) not in self.tree.begun:
            return self.tree.stands(value, self.globals)
        return "", ""

    def by_itself(self, node, made):
        """Where the expression says it: what it asks for is not there."""
        if isinstance(node, ast.Call):
            name = called(node)
            if name in SAME and node.args:
                return self.filled(node.args[0], made)[1]
            if name == "item" and isinstance(node.func, ast.Attribute):
                return self.filled(node.func.value, made)[1]
            if name == "get" and len(node.args) == 2 and isinstance(node.func, ast.Attribute) and is_zero(node.args[1]):
                held, key = self.value(node.func.value), self.value(node.args[0])
                return "%r is not in %s" % (key, title(node.func.value) or "the results") if type(held) is dict and isinstance(key, str) and key not in held else ""
            if name == "nan_to_num":
                ours = any(code is self.code for _, code in made) or (node.args and is_nan(self.value(node.args[0])))
                return "nan_to_num made it of a NaN" if ours else ""
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)):
            return self.filled(node.left, made)[1] or self.filled(node.right, made)[1]
        if isinstance(node, ast.IfExp):
            zero, other = (node.body, node.orelse) if is_zero(node.body) else (node.orelse, node.body)
            if is_zero(zero) and is_nan(self.value(other)):
                return "%s is not a number" % (title(other) or "what was computed")
            if is_zero(zero) and self.value(other) is None:
                return "%s is None" % (title(other) or "what was computed")
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and is_zero(node.values[-1]) and self.value(node.values[0]) is None:
            return "%s is None" % (title(node.values[0]) or "what was computed")
        return ""

    def value(self, node):
        if isinstance(node, Held):
            return node.value
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self.locals.get(node.id, self.globals.get(node.id, UNKNOWN))
        if isinstance(node, ast.Attribute):
            held = getattr(self.value(node.value), "__dict__", None)
            return held.get(node.attr, UNKNOWN) if type(held) is dict else UNKNOWN
        if isinstance(node, ast.Subscript):
            held, key = self.value(node.value), self.value(trees.key(node))
            if type(held) is dict and type(key) in (str, int):
                return held.get(key, UNKNOWN)
            if type(held) in (list, tuple) and type(key) is int and -len(held) <= key < len(held):
                return held[key]
        return UNKNOWN


class Held:
    """An object in the place of the expression that gives it."""

    def __init__(self, value):
        self.value = value


def places(text):
    """What stands before each place of a text, and behind the last."""
    return PLACE.split(text.replace("%%", ""))


def put_into(text, values):
    """(the text before it, expression), in the order of the places."""
    before = places(text)
    for i, value in enumerate(values):
        yield before[i] if len(before) == len(values) + 1 else "", value


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def is_nan(value):
    """Of a number of Python's, or of numpy's, which is one."""
    return isinstance(value, float) and value != value
