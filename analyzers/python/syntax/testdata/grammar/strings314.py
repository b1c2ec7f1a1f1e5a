t'a{b!r:>{c}}{d=}' t"{e}"
tr'\{a}'; rT'{a}'
try: a
except A, B: c

