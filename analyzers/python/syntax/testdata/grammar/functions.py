# Parameters, decorators, classes, type parameters.
@a
@b.c(d)[e]
@(lambda f: f)
@x if y else z
def f(): pass
def g(a, b: int, c=1, d: str = "x", *args: int, e, f: int = 1, **kwargs: dict) -> None: ...
def h(a, /, b, *, c): pass
def i(a, b=1, /, c=2, *, d, e=3): pass
def j(*, a): pass
def k(*args: *Ts, **kwargs,): pass
def l(a=1, *b, c): pass
lambda: 0
lambda a, /, b=1, *c, d, e=2, **f: (a, b)
lambda *, a: lambda b: a if b else c
class A: pass
class B(): x: int
@d
class C(A, *b, metaclass=M, **kw):
    """Doc"""
    def m(self): return super().m()
def t[T](x: T) -> T: return x
def u[T: int, *Ts, **P](): pass
def v[T: (int, str) = int, *Ts = *tuple[int], **P = [int]](): pass
class D[T](Base[T]): pass
type X = int
type Y[T] = list[T]
type = 1; type(x); type.y; type[0]
