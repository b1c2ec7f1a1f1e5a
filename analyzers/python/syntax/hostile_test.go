package syntax

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestHostile holds time, memory and a clear error for inputs that nobody
// writes.
func TestHostile(t *testing.T) {
	many := strings.Repeat
	for _, tc := range []struct {
		name, src string
		code      Code
	}{
		{"parentheses", many("(", 5_000_000), Nesting},
		{"parentheses in lines", many("(\n", 500_000), Nesting},
		{"closing parentheses", many(")", 2_000_000), Syntax},
		{"brackets and braces", many("[{", 1_000_000), Nesting},
		{"lists within the limit", many("[", 200) + many("]", 200), 0},
		{"lists beyond it", many("[", 201) + many("]", 201), Nesting},
		{"signs", many("-", 2_000_000) + "1", Nesting},
		{"not", many("not ", 1_000_000) + "1", Nesting},
		{"lambdas", many("lambda: ", 1_000_000) + "1", Nesting},
		{"conditionals", many("a if b else ", 500_000) + "1", Nesting},
		{"powers", many("2**", 500_000) + "1", Nesting},
		{"attributes", "a" + many(".b", 300_000), Nesting},
		{"attributes in a lost clause", "if a: pass\nelif a" + many(".b", 300_000) + " x:\n pass\n", Syntax},
		{"a wide list at the limit", many("-", 2900) + "a" + many(".b", 120) + "\n" + many("-", 2990) + "[" + many("a.b.c.d.e.f.g.h.i.j.k,", 50_000) + "]\nx = 1\n", Nesting},
		{"calls", "a" + many("()", 300_000), Nesting},
		{"sums", "a" + many("+a", 300_000), Nesting},
		{"a long or", "a" + many(" or a", 300_000), 0},
		{"comparisons", "a" + many("<a", 300_000), 0},
		{"walrus", many("(a:=", 300) + "1", Nesting},
		{"elif", "if a: pass\n" + many("elif a: pass\n", 100_000), Nesting},
		{"blocks", blocks(5000), Nesting},
		{"nested f-strings", many("f'{", 100_000), Nesting},
		{"braces in f-strings", "f'" + many("{", 1_000_001), Unclosed},
		{"conversions", "f'{a" + many("!", 1_000_000), Syntax},
		{"format specs", "f'{a" + many(":{a", 1_000_000), Nesting},
		{"open strings", many("'a\n", 500_000), Unclosed},
		{"open triple quotes", many("x = '''\n", 300_001), Unclosed},
		{"open brackets in lines", many("a = f(\n", 100_000), Nesting},
		{"open brackets before keywords", many("a = f(\npass\n", 300_000), Unclosed},
		{"open f-strings", many("f'{a\n", 300_000), Nesting},
		{"backslashes", many("\\\n", 2_000_000), Syntax},
		{"backslashes in a string", "'" + many("\\\\", 2_000_000) + "'", 0},
		{"quotes behind backslashes", "'''" + many("\\'", 2_000_000) + "'''", 0},
		{"one long line of names", "x = [" + many("a,", 400_000) + "]", 0},
		{"more nodes than the limit", "x = [" + many("a,", 2_000_000) + "]\ny = 1\n", TooLarge},
		{"a long name", many("a", 10_000_000), 0},
		{"a long number", many("1", 10_000_000), Syntax},
		{"prints", many("print a\n", 500_000), Python2},
		{"octal numbers", many("07\n", 500_000), Python2},
		{"50 MB", many("a", 50_000_000), TooLarge},
		{"nul bytes", many("\x00", 5_000_000), Encoding},
		{"bytes that are no utf-8", many("\xff", 3_000_000), Encoding},
		{"patterns", "match x:\n case " + many("(a|", 199) + "a" + many(")", 199) + ": pass\n", 0},
		{"dedents", many(" x\n", 300_000), Indentation},
		{"stairs", stairs(300), Indentation},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			f := Parse([]byte(tc.src))
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if tc.code == 0 {
				require.Empty(t, f.Errors)
			} else {
				require.NotEmpty(t, f.Errors)
				require.Equal(t, tc.code, f.Errors[0].Code, "%v", f.Errors[0])
			}
			require.LessOrEqual(t, len(f.Errors), MaxErrors)
			require.Less(t, took, 2*time.Minute)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(400<<20))
			if f.Len() < 100_000 {
				checkTree(t, f)
			}
			t.Logf("%d bytes, %v, %d MB, %d nodes, %d errors", len(tc.src), took.Round(time.Millisecond), (after.TotalAlloc-before.TotalAlloc)>>20, f.Len(), len(f.Errors)+f.MoreErrors)
		})
	}
}

// blocks are nested n deep.
func blocks(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "if a:\n")
	}
	return b.String()
}

// stairs go down to indentations that were never opened.
func stairs(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("if a:\n" + strings.Repeat(" ", n-i) + "x\n")
		b.WriteString(strings.Repeat(" ", (n-i)/2) + "y\n")
	}
	return b.String()
}

// TestReuse holds that a Parser remembers nothing of the file before, not even
// of one that filled its memory.
func TestReuse(t *testing.T) {
	t.Parallel()
	sources := []string{
		"a.b(\n", "x = 1\n", strings.Repeat("(", 300), "if a:\n  b\n", "print x\n", "\xff\n",
		"x = [" + strings.Repeat("a,", 3_000_000) + "]\n", "def f(): pass\n", "# coding: latin-1\nx = '\xe9'\n", "",
	}
	var p Parser
	for _, src := range sources {
		var ours, fresh bytes.Buffer
		f := p.Parse([]byte(src))
		g := Parse([]byte(src))
		require.Equal(t, fmt.Sprint(g.Errors), fmt.Sprint(f.Errors))
		require.Equal(t, fmt.Sprint(g.Dropped), fmt.Sprint(f.Dropped))
		require.Equal(t, g.Encoding, f.Encoding)
		if f.Len() < 1000 {
			newDumper(&ours, &f.Tree, 3, 13).dump()
			newDumper(&fresh, &g.Tree, 3, 13).dump()
			require.Equal(t, fresh.String(), ours.String())
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, src := range []string{
		"x = 1\n", "def f(a, /, b=1, *c: int, d, **e) -> x:\n\treturn a.b(c, *d, e=f, **g)\n",
		"match x:\n  case [1, *_] | {'a': b, **c} if d:\n    pass\n", "f'{a!r:>{b}} {c=}' 'd'\n",
		"try:\n pass\nexcept* (A, B) as c:\n pass\n", "type X[T: int = 1, *Ts, **P] = a[*b, 1:2]\n",
		"print a\nexec b in c\nraise E, v\n", "x = (\ny = 2\ndef f(\n  pass\n", "'''\n\\N{a}\n", "if a:\n\tb\n        c\n",
		"# coding: cp1252\n\x80 = 1\n", "async def f():\n [x async for x in y]\n with (a as b, c): d\n", "\\\n\\",
	} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		p := Parser{Limits: Limits{Bytes: 1 << 16, Nodes: 1 << 14}}
		g := p.Parse(src)
		checkTree(t, g)
		newDumper(&bytes.Buffer{}, &g.Tree, 3, 13).dump()
		for n := range g.Preorder(g.Root()) {
			g.Name(n)
			g.AsName(n)
			g.NamePos(n)
		}
	})
}
