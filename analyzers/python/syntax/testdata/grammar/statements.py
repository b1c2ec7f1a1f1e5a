"""Every statement, with what may stand in it."""
from __future__ import annotations
import a, b.c, d as e, f.g as h
from . import i
from .. import (j as k, l,)
from ...m.n import *
from .... import o; import p
pass; x = 1;
x = y = z = 1, 2
x, = 1,
(x, y), [z, *w] = v
x += 1; x -= 1; x *= 1; x /= 1; x //= 1; x %= 1; x @= 1; x **= 1; x <<= 1; x >>= 1; x &= 1; x |= 1; x ^= 1
x.y: int
x[0]: int = 1, 2
(x): int = yield
del x, y.z, (a, [b]), c[0],
assert x, "message"
assert (x)
raise
raise E
raise E(x) from y
return
return x, *y
global a, b
nonlocal c
x = yield
x = yield a, b
yield from a
await a
*a, b
if a: b
elif c: d; e
elif (f := g):
    pass
else:
    h
while a < b:
    break
else:
    continue
for x in a, b: pass
for x, *y in z:
    pass
else:
    pass
for (x) in [*a]: pass
async def f():
    async for x in y: await z
    async with a as b, c: pass
    return [x async for x in y if await z]
with a: pass
with a as b, c as (d, e), f as g.h: pass
with (a): pass
with (a, b): pass
with (a as b): pass
with (a as b, c,): pass
with (a, b) as c: pass
with (a).b as c: pass
with (yield): pass
with (a for a in b): pass
with (a := b): pass
try: a
except: b
try:
    a
except A: b
except (B, C) as d: e
else: f
finally: g
try: a
finally: b
try: a
except* A: b
except* (B, C) as d: e
