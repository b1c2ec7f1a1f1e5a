a or b and not c in d is not e not in f is g
a < b <= c == d != e > f >= g
a | b ^ c & d << e >> f + g - h * i / j // k % l @ m
-a ** -b ** ~c; +a.b(c)[d]; not not a; - - 1
(a + b) * c; a + (b * c); ((a)); (a).b; (a)(b); (a)[b]
a if b else c if d else e
(a, b); (a,); (); [a, *b]; []; {a, *b}; {a: b, **c, 'd': e,}; {}; {**a}
[x for x in y]; {x for x in y if z if w}; {x: y for x, y in z}; (x for x, in y for z in x)
f(x for x in y); f((x for x in y), z); f(a, *b, c, d=e, *f, **g, h=i,)
f(a := 1, b); f(**a, b=c); f()(a)(b); f(lambda: 0, *a or b, **c if d else e)
a[b]; a[b, c]; a[b:c]; a[b:c:d]; a[:]; a[::]; a[::d, b:]; a[b,]; a[*b]; a[*b, c]; a[b := 1]; a[:, ...]
1; 0x1F; 0o17; 0b1_0; 1_000; 1.5; .5; 1.; 1e5; 1E-5; 1j; 1.5e3J; 00; 0_0; 1_0.0_1e1_0
'a'; "b"; '''c
d'''; r'\n'; b'\x00\377'; u'é'; Rb'x'; 'a' "b" r'\c'; b'a' b'b'; '\
'; '\N{BULLET}\u00e9\U0001F600\x41\101\q'
('a'
 # comment
 'b'); None; True; False; ...; Ellipsis
x = (yield); x = (yield a); x = [(yield)]; print((yield from a))
1if x else 2; 0x1for x; [1for x in y]; 1.0.real; 1 .real; 1..real
a.b.c.d; a. b
é = ñ.ü(日本)
x = \
    y
match = 1; match(x); match.a; match[x]; match * a; match, case = _; case = type
print(a); print; exec(a); print >> a, b
a[*not b, *c or d]; a[*lambda: b]; f(*not b); (*a | b, c); [*a | b]
