"""Dumps what CPython's ast makes of files, in the shape of package syntax.

Reads file names from stdin, one a line. For each it writes a line
"=ok NAME" or "=bad NAME: why", then one line a node: depth, kind, role,
positions (where this version gives them), details.
"""
import ast
import sys
import warnings
import zlib

warnings.simplefilter("ignore")
NEW = sys.version_info >= (3, 12)  # f-strings have positions
ALIAS = sys.version_info >= (3, 10)  # aliases have positions
FLAT = {"comprehension", "withitem", "match_case", "arguments"}
CTX = {"Load": "", "Store": " store", "Del": " del"}
FIELD = {
    "targets": "target", "comparators": "right", "elts": "elt", "keys": "key",
    "patterns": "pattern", "default_value": "default",
}
VALUES = {"BoolOp": "operand"}


def ident(s):
    """Names are normalised by CPython, so others than ASCII are not compared."""
    return s if s is None or s.isascii() else "?"


def const(v):
    if v is None or v is True or v is False:
        return str(v)
    if v is ...:
        return "Ellipsis"
    if isinstance(v, str):
        return "str %d" % zlib.crc32(v.encode("utf-8", "surrogatepass"))
    if isinstance(v, bytes):
        return "bytes %d" % zlib.crc32(v)
    return type(v).__name__


def params(a):
    """The parameters in order, each with its kind and default."""
    plain = a.posonlyargs + a.args
    defaults = [None] * (len(plain) - len(a.defaults)) + a.defaults
    for i, (p, d) in enumerate(zip(plain, defaults)):
        yield p, "posonlyarg" if i < len(a.posonlyargs) else "arg", d
    if a.vararg:
        yield a.vararg, "vararg", None
    for p, d in zip(a.kwonlyargs, a.kw_defaults):
        yield p, "kwonlyarg", d
    if a.kwarg:
        yield a.kwarg, "kwarg", None


def detail(n, k):
    if k in ("FunctionDef", "AsyncFunctionDef", "ClassDef"):
        return " " + ident(n.name)
    if k == "Name":
        return " " + ident(n.id) + CTX[type(n.ctx).__name__]
    if k == "Attribute":
        return " " + ident(n.attr) + CTX[type(n.ctx).__name__]
    if k in ("Subscript", "Starred", "List", "Tuple"):
        return CTX[type(n.ctx).__name__]
    if k == "Constant":
        return " " + const(n.value)
    if k in ("BinOp", "BoolOp", "UnaryOp", "AugAssign"):
        return " " + type(n.op).__name__
    if k == "Compare":
        return " " + " ".join(type(o).__name__ for o in n.ops)
    if k == "keyword":
        return " " + (ident(n.arg) or "**")
    if k == "alias":
        return " %s %s" % (ident(n.name), ident(n.asname) or "-")
    if k == "ImportFrom":
        return " %d %s" % (n.level, ident(n.module) or "-")
    if k in ("Global", "Nonlocal"):
        return " " + " ".join(map(ident, n.names))
    if k in ("ExceptHandler", "TypeVar", "ParamSpec", "TypeVarTuple", "MatchAs", "MatchStar"):
        return " " + (ident(n.name) or "-")
    if k == "MatchMapping":
        return " " + (ident(n.rest) or "-")
    if k == "MatchClass":
        return "".join(" " + ident(a) for a in n.kwd_attrs)
    if k == "MatchSingleton":
        return " " + str(n.value)
    if k == "AnnAssign":
        return " %d" % n.simple
    if k in ("FormattedValue", "Interpolation"):
        return " %d" % max(0, n.conversion)
    if k == "comprehension":
        return " %d" % n.is_async
    return ""


def fields(n, k):
    for f in n._fields:
        v = getattr(n, f, None)
        if f in ("ctx", "op", "ops", "type_ignores", "type_comment", "kind", "str", "conversion"):
            continue
        role = FIELD.get(f, f)
        if f == "values":
            role = VALUES.get(k, "value")
        if k == "TypeAlias" and f == "name":
            role = "target"
        if isinstance(v, list):
            for c in v:
                if isinstance(c, ast.AST):
                    yield role, c
        elif isinstance(v, ast.arguments):
            for p, kind, d in params(v):
                p.kind, p.default = kind, d
                yield "param", p
        elif isinstance(v, ast.AST):
            yield role, v


def spec(v):
    """The fields of a format spec, without the text between them."""
    return [("format_spec", c) for c in v.values if not isinstance(c, ast.Constant)]


def place(n):
    while not hasattr(n, "lineno"):
        n = n.context_expr if hasattr(n, "context_expr") else n.target if hasattr(n, "target") else n.pattern
    return n.lineno, n.col_offset


def children(n, k):
    if k in ("JoinedStr", "TemplateStr"):
        return [("value", c) for c in n.values if not isinstance(c, ast.Constant)]
    if k in ("FormattedValue", "Interpolation"):
        return [("value", n.value)] + (spec(n.format_spec) if n.format_spec else [])
    if k == "arg":
        return [(r, c) for r, c in (("annotation", n.annotation), ("default", n.default)) if c]
    out = list(fields(n, k))
    if len(out) > 1 and k not in ("Import", "ImportFrom"):
        out.sort(key=lambda x: place(x[1]))
    return out


def dump(tree, write):
    stack = [(tree, "", 0, True)]
    while stack:
        n, role, depth, placed = stack.pop()
        k = type(n).__name__
        at = ""
        if placed and hasattr(n, "lineno") and (ALIAS or k != "alias") and k not in FLAT:
            at = "%d:%d-%d:%d" % (n.lineno, n.col_offset, n.end_lineno, n.end_col_offset)
        d = detail(n, k)
        if k == "arg":
            d = " %s %s" % (ident(n.arg), n.kind)
        write("%d %s %s %s%s\n" % (depth, k, role, at, d))
        if k == "JoinedStr" and not NEW:
            placed = False
            if n.lineno != n.end_lineno:
                continue  # the order of what it holds cannot be told
        for r, c in reversed(children(n, k)):
            stack.append((c, r, depth + 1, placed))


def main():
    out = sys.stdout
    out.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    print("=version %d %d" % sys.version_info[:2])
    for line in sys.stdin:
        name = line.rstrip("\n")
        try:
            with open(name, "rb") as f:
                tree = compile(f.read(), "x", "exec", ast.PyCF_ONLY_AST, True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as e:
            why = " ".join(str(e).split())
            print("=bad", name.encode("utf-8", "replace").decode(), "|", type(e).__name__, why)
        else:
            lines = []
            dump(tree, lines.append)
            print("=ok", name.encode("utf-8", "replace").decode())
            out.write("".join(lines))
        print("=end")
    out.flush()


main()
