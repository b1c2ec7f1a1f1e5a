match x:
    case 1 | -1 | 1.5 | 1 + 2j | -1 - 2j: pass
    case 'a' 'b' | b'c': pass
    case None | True | False: pass
    case _: pass
    case a if b: pass
    case a.b.c: pass
    case (a): pass
    case (a,) | [a, *_] | (*b, c) | [] | (): pass
    case a, b: pass
    case a, *rest,: pass
    case {'a': 1, b.c: d, -1: e, None: f, **rest}: pass
    case {}: pass
    case {**rest,}: pass
    case A(): pass
    case a.B(1, c, d=e, f=G(),): pass
    case (1 | 2) as x: pass
    case [1 as a, {'b': c as d}] as e: pass
match a, *b: 
    case _: pass
match (a, b): 
    case _: pass
match -a:
    case _: pass
match [a]:
    case _: pass
match not a, :
    case _:
        match (b):
            case _: pass
match match:
    case case: pass
match x := y:
    case _: pass
