"""Says which sources CPython's parser takes.

Reads sources from stdin, each behind its length in four bytes. Writes a line a
source: "ok", or "bad" and why.
"""
import ast
import sys
import warnings

warnings.simplefilter("ignore")
sys.set_int_max_str_digits(4300) if hasattr(sys, "set_int_max_str_digits") else None
read = sys.stdin.buffer.read
print("=version %d %d" % sys.version_info[:2])
while True:
    size = read(4)
    if len(size) < 4:
        break
    src = read(int.from_bytes(size, "big"))
    try:
        compile(src, "x", "exec", ast.PyCF_ONLY_AST, True)
        print("ok")
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as e:
        text = e.msg if isinstance(e, SyntaxError) else str(e)
        print("bad %s: %s" % (type(e).__name__, ascii(text)))
