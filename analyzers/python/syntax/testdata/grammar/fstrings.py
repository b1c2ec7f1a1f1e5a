f''; f'a'; f'{a}'; f'a{b}c{d}e'; f'{{}}'; f'{{{a}}}'; F"{a}" 'b' f'''{c}
{d}'''; 'a' f'{b}'; rf'\{a}\n'; fR"{a}"
f'{a!r}{b!s:>{w}}{c!a:{w}.{p}}{d:%Y-%m-%d}{e:{f!r}}'
f'{a=}{b = !s}{c=:>5}{ d = }'
f'{a if b else c}{(lambda x: x)(1)}{a != b}{a == b}{a >= b}{ {1: 2}[1] }{[x for x in y]}'
f'{a["b"]}{f"{f'{x}'}"}{'a' 'b'}{"\n"}{a, b}{*a, b}{yield}'
f"{
    a  # comment
}"
f'''{
a:{
b}}'''
f'\N{BULLET}{a}\x41\'{b}'
f'{a:{{}}}' f'{x:\x41}'
x = (f'{a}'
     f'{b.c(d)}')
