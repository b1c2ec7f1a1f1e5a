"""Why a training loop may have ended before its plan: looked up in the frames that
made the first step, and in their sources when the process ends. Nothing of it is
asked for in between.

A number that is there before the first step and is exactly the number of steps at
the end was their budget. Written down as such it is what the user asked for;
reckoned, it is what a plan was made of."""

import os
import re
import sys
import types

from trainvet import caller, trees

WORDS = re.compile(r"early_?stop|patience|converge|tolerance|^tol$|should_?stop|stop_?training|max_?time|time_?limit|deadline|interrupt|preempt|sigterm", re.IGNORECASE)
LIMITS = re.compile(r"step|iter|update|limit|budget|batches", re.IGNORECASE)
OWNERS = (types.SimpleNamespace,)
MAX_NAMES = 2000
MAX_PARTS = 200
LEAVE = ("exit", "_exit", "quit", "abort")


class Scope:
    """What stood in the frames of the trainer at its first step."""

    def __init__(self, frame):
        self.numbers, self.words, self.places = set(), [], []
        self.entries = set()  # (name, number) of tables
        seen = set()
        while frame is not None:
            code = frame.f_code
            if own(code.co_filename):
                self.places.append((os.path.abspath(code.co_filename), frame.f_lineno))
                self.take(caller.locals_of(frame), seen)
                if id(frame.f_globals) not in seen:
                    seen.add(id(frame.f_globals))
                    self.take(frame.f_globals, seen)
            frame = frame.f_back

    def take(self, names, seen, parts=True):
        for name, value in list(names.items())[:MAX_NAMES]:
            if type(value) is int:
                if value > 1:
                    self.numbers.add(value)
            elif parts and name[:2] != "__" and id(value) not in seen and has_parts(value):
                seen.add(id(value))
                self.take(dict(list(vars(value).items())[:MAX_PARTS]), seen, False)
            elif type(value) is dict:  # of settings: what else a table holds has other names
                held = {(k, n) for k, n in list(value.items())[:MAX_PARTS] if type(n) is int and n > 1 and isinstance(k, str) and LIMITS.search(k)}
                self.entries |= held
                self.numbers.update(n for _, n in held)
            if stops_early(name, value):
                self.words.append(name)

    def why(self, *counts):
        """(reason, doubt): why fewer than planned were made, so many at the end. The
        reason is certain; a doubt is what may have ended it."""
        if self.words:
            return "", self.words[0]
        for n in counts:
            if n in self.numbers and n > 1:
                at = self.literal(n)
                return ("%s sets a limit of %d" % (at, n), "") if at else ("", "")
        return "", self.leaves()

    def literal(self, n):
        """Where a limit of so many is written down."""
        import ast

        for name in sorted({name for name, _ in self.places}):
            for node in ast.walk(tree(name)):
                for word, value in named_values(ast, node):
                    if not LIMITS.search(word) or not any(isinstance(c, ast.Constant) and c.value == n and type(c.value) is int for c in choices(ast, value)):
                        continue
                    if (word, n) in self.entries or not in_table(ast, node):
                        return "%s:%d" % (os.path.basename(name), node.lineno)
        return ""

    def leaves(self):
        """A statement that leaves one of the loops that the step stands in."""
        import ast

        for name, line in self.places:
            for loop in ast.walk(tree(name)):
                if isinstance(loop, (ast.For, ast.While, ast.AsyncFor)) and loop.lineno <= line <= end(ast, loop):
                    at = leaving(ast, loop)
                    if at:
                        return "a loop that is left at %s:%d" % (os.path.basename(name), at)
        return ""


def stops_early(name, value):
    """Whether a name, or what it stands for, has to do with an end before the plan:
    a number or a text that is set, an object of a class that does so."""
    if isinstance(value, (bool, int, float, str)):
        return bool(value) and WORDS.search(name) is not None
    return type(value).__module__ != "builtins" and WORDS.search(type(value).__name__) is not None


def own(name):
    """Whether a source is the trainer's own, and no library's."""
    if name[:1] == "<" or "site-packages" in name or "dist-packages" in name:
        return False
    return not name.startswith((os.path.dirname(os.__file__), os.path.dirname(os.path.abspath(__file__))))


def has_parts(value):
    """An object of the trainer's own classes, or a table of arguments."""
    cls = type(value)
    if cls.__name__ == "Namespace" or cls in OWNERS:
        return True
    home = sys.modules.get(cls.__module__)
    file = getattr(home, "__file__", None)
    return isinstance(file, str) and own(file) and isinstance(getattr(value, "__dict__", None), dict)


def tree(name):
    import ast

    return trees.parsed(name) or ast.Module([], [])


def named_values(ast, node):
    """(name, expression) of what a statement, a default or an argument names."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield getattr(target, "id", getattr(target, "attr", text(trees.key(target)) if isinstance(target, ast.Subscript) else "")), node.value
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        yield getattr(node.target, "id", getattr(node.target, "attr", "")), node.value
    elif isinstance(node, ast.Call):
        for word in node.keywords:
            yield word.arg or "", word.value
    elif isinstance(node, ast.Dict):
        for name, value in zip(node.keys, node.values):
            yield text(name), value
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        args = node.args
        for arg, value in zip(args.args[len(args.args) - len(args.defaults) :], args.defaults):
            yield arg.arg, value


def in_table(ast, node):
    """Whether it names an entry of a table: one that is not there was never made."""
    return isinstance(node, ast.Dict) or (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript))


def text(node):
    value = getattr(node, "value", None)
    return value if type(node).__name__ == "Constant" and isinstance(value, str) else ""


def choices(ast, value):
    """What an expression can be, of those that choose."""
    if isinstance(value, ast.IfExp):
        return choices(ast, value.body) + choices(ast, value.orelse)
    return [value]


def end(ast, node):
    return getattr(node, "end_lineno", None) or max((getattr(n, "lineno", 0) for n in ast.walk(node)), default=0)


def leaving(ast, loop):
    """The line of a break of this loop, or of what leaves all loops around it."""
    work = [(n, True) for n in loop.body]
    while work:
        node, ours = work.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        if isinstance(node, ast.Return) or (ours and isinstance(node, ast.Break)):
            return node.lineno
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in LEAVE:
            return node.lineno
        inner = isinstance(node, (ast.For, ast.While, ast.AsyncFor))
        work += [(child, ours and not inner) for child in ast.iter_child_nodes(node)]
    return 0
