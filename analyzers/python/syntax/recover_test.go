package syntax

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// calls lists the methods that a file calls, with their lines.
func calls(f *File) []string {
	var out []string
	for n := range f.Preorder(f.Root()) {
		if fn := f.Child(n, RoleFunc); fn != 0 && f.Kind(fn) == Attribute {
			out = append(out, fmt.Sprintf("%s:%d", f.Name(fn), f.NamePos(fn).Line))
		}
	}
	return out
}

func dropped(f *File) []string {
	var out []string
	for _, d := range f.Dropped {
		out = append(out, fmt.Sprintf("%d-%d", d.First, d.Last))
	}
	return out
}

// TestRecovery holds what damage costs: the lines that are dropped, and that
// everything else is still read.
func TestRecovery(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, src string
		code      Code
		calls     []string
		dropped   []string
	}{
		{"a bad statement", "a.b()\nx = = 1\nc.d()\n", Syntax, []string{"b:1", "d:3"}, []string{"2-2"}},
		{"a bad statement behind a good one", "a.b(); x = = 1\nc.d()\n", Syntax, []string{"b:1", "d:2"}, []string{"1-1"}},
		{"a bad header keeps its block", "def f(x y):\n    a.b()\n    return 1\nc.d()\n", Syntax, []string{"b:2", "d:4"}, []string{"1-1"}},
		{"a bad header within a class", "class A:\n    def f(:\n        a.b()\n    def g(self):\n        c.d()\n", Unclosed, []string{"b:3", "d:5"}, []string{"2-2"}},
		{"an open bracket ends before a keyword", "x = f(a,\n  b\nfor_ = 1\nreturn_ = 2\ndef g():\n    c.d()\n", Unclosed, []string{"d:6"}, []string{"1-2"}},
		{"an open bracket with nothing but assignments behind", "x = f(a,\n  b\ny = c.d()\nz = e.f()\n", Unclosed, []string{"d:3", "f:4"}, []string{"1-2"}},
		{"an open bracket in a block", "def f():\n    x = g(\n    y = c.d()\n    return y\ne.f()\n", Unclosed, []string{"d:3", "f:5"}, []string{"2-2"}},
		{"a bracket of the wrong kind", "x = f(a]\ny = c.d()\n", Unclosed, []string{"d:2"}, []string{"1-1"}},
		{"an open string", "x = 'abc\ny = c.d()\n", Unclosed, []string{"d:2"}, []string{"1-1"}},
		{"an open triple-quoted string", "x = '''abc\ny = c.d()\n", Unclosed, []string{"d:2"}, []string{"1-1"}},
		{"an open f-string", "x = f'{a.b(\ny = c.d()\n", Unclosed, []string{"d:2"}, []string{"1-1"}},
		{"a missing block", "def f():\na.b()\n", Indentation, []string{"b:2"}, nil},
		{"a missing block at the end", "a.b()\ndef f():\n", Indentation, []string{"b:1"}, nil},
		{"an unexpected block", "a.b()\n    c.d()\ne.f()\n", Indentation, []string{"b:1", "d:2", "f:3"}, nil},
		{"a dedent that fits nothing", "if a:\n        b.c()\n    d.e()\nf.g()\n", Indentation, []string{"c:2", "e:3", "g:4"}, nil},
		{"a try without handler", "try:\n    a.b()\nc.d()\n", Syntax, []string{"b:2", "d:3"}, nil},
		{"a bad handler keeps the try", "try:\n    a.b()\nexcept x y:\n    c.d()\nelse:\n    e.f()\nfinally:\n    g.h()\n", Syntax, []string{"b:2", "d:4", "f:6", "h:8"}, []string{"3-3"}},
		{"a bad elif keeps the if", "if a:\n    a.b()\nelif x y:\n    c.d()\nelif z:\n    e.f()\nelse:\n    g.h()\n", Syntax, []string{"b:2", "d:4", "f:6", "h:8"}, []string{"3-3"}},
		{"an else without if", "a.b()\nelse:\n    c.d()\n", Syntax, []string{"b:1", "d:3"}, []string{"2-2"}},
		{"a bad case keeps the match", "match x:\n    case 1 2:\n        a.b()\n    case _:\n        c.d()\n", Syntax, []string{"b:3", "d:5"}, []string{"2-2"}},
		{"a bad decorator", "@a b\ndef f():\n    c.d()\n", Syntax, []string{"d:3"}, []string{"1-1"}},
		{"a decorator of nothing", "@a.b()\nx = c.d()\n", Syntax, []string{"b:1", "d:2"}, nil},
		{"a conflict", "a.b()\n<<<<<<< ours\nc.d()\n=======\ne.f()\n>>>>>>> theirs\ng.h()\n", Syntax, []string{"b:1", "d:3", "f:5", "h:7"}, []string{"2-2", "4-4", "6-6"}},
		{"a stray character", "a.b()\nx = $y\nc.d()\n", Syntax, []string{"b:1", "d:3"}, []string{"2-2"}},
		{"half an attribute", "def f():\n    a.b()\n    c.\n    d.e()\n", Syntax, []string{"b:2", "e:4"}, []string{"3-3"}},
		{"a bad escape costs nothing", "a.b('\\u', b'\\xg', f'{c.d()}\\x')\n", Syntax, []string{"b:1", "d:1"}, nil},
		{"a bad number costs nothing", "a.b(1__0, 0o9, 1a)\n", Syntax, []string{"b:1"}, nil},
		{"nul", "a.b()\nx = \x00\nc.d()\n", Encoding, []string{"b:1", "d:3"}, []string{"2-2"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			f := Parse([]byte(tc.src))
			require.NotEmpty(t, f.Errors)
			require.Equal(t, tc.code, f.Errors[0].Code, "%v", f.Errors)
			require.Equal(t, tc.calls, calls(f))
			require.Equal(t, tc.dropped, dropped(f), "%v", f.Errors)
			checkTree(t, f)
		})
	}
}

// TestPython2 holds that Python 2 loses no line, and that each place is named.
func TestPython2(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		src   string
		calls []string
	}{
		{"print a.b()\n", []string{"b:1"}},
		{"print 'x: %s' % a.b(), c.d()\n", []string{"b:1", "d:1"}},
		{"print 'x',\n", nil},
		{"print >>sys.stderr, 'x', a.b()\n", []string{"b:1"}}, // a tuple in Python 3
		{"if a:\n    print 'x'; b.c()\n", []string{"c:2"}},
		{"exec a.b() in c.d()\n", []string{"b:1", "d:1"}},
		{"exec code in a, b\n", nil},
		{"try:\n    a.b()\nexcept E, e:\n    c.d()\n", []string{"b:2", "d:4"}},
		{"try:\n    a.b()\nexcept (E, F), e:\n    c.d()\n", []string{"b:2", "d:4"}},
		{"raise E, a.b()\n", []string{"b:1"}},
		{"raise E, v, a.b()\n", []string{"b:1"}},
		{"x = `a.b()`\n", []string{"b:1"}},
		{"x = 0777 + a.b()\n", []string{"b:1"}},
		{"x = 10L + 0xFFL + a.b()\n", []string{"b:1"}},
		{"x = ur'abc' + a.b()\n", []string{"b:1"}},
		{"if a <> b: a.b()\n", []string{"b:1"}},
		{"def f(a, (b, c)=d):\n    a.b()\n", []string{"b:2"}},
		{"[x for x in a.b(), c if x]\n", []string{"b:1"}},
		{"print not a.b()\n", []string{"b:1"}},
		{"True, False = a.b(), 0\nxmlrpclib.False\n", []string{"b:1"}},
		{"lambda (a, b): a.b()\n", []string{"b:1"}},
		{"x = y.cuda(async=True)\nasync = 1\nprint(async)\n", []string{"cuda:1"}},
	} {
		f := Parse([]byte(tc.src))
		require.Empty(t, f.Dropped, "%q: %v", tc.src, f.Errors)
		require.Equal(t, tc.calls, calls(f), "%q", tc.src)
		for _, e := range f.Errors {
			require.Equal(t, Python2, e.Code, "%q: %v", tc.src, e)
		}
		if !strings.Contains(tc.src, ">>") {
			require.NotEmpty(t, f.Errors, "%q", tc.src)
		}
		checkTree(t, f)
	}
	require.Equal(t, []byte("e"), handlerName(Parse([]byte("try: pass\nexcept E, e: pass\n"))))
	require.Nil(t, handlerName(Parse([]byte("try: pass\nexcept E, F: pass\n"))))
}

func handlerName(f *File) []byte {
	for n := range f.Preorder(f.Root()) {
		if f.Kind(n) == ExceptHandler {
			return f.Name(n)
		}
	}
	return nil
}

// TestPythonThreeTwins holds that what looks like Python 2 and is none is left
// alone.
func TestPythonThreeTwins(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"print (a)\n", "print -1\n", "print [1]\n", "print\n", "print = 1\n", "print.x\n", "print in a\n", "print not in a\n",
		"exec (a)\n", "exec = b\n", "x = 00\n", "x = 0_0\n",
		"match = 1\n", "match(x)\n", "match.group()\n", "match[x]\n", "match: int = 1\n", "match * a\n",
		"case = 1\n", "type = 1\n", "type(x)\n", "type.x = 1\n", "type: int\n", "_ = 1\n",
	} {
		f := Parse([]byte(src))
		require.Empty(t, f.Errors, "%q", src)
	}
}

// checkTree holds what every tree promises, however broken the source: one
// parent for each node, positions within the parent's for statements, errors in
// order.
func checkTree(t testing.TB, f *File) {
	t.Helper()
	seen := make([]bool, f.Len())
	depth := 0
	for n := range f.Preorder(f.Root()) {
		if seen[n] {
			t.Fatalf("node %d is there twice", n)
		}
		seen[n] = true
		if f.Start(n) > f.End(n) || f.End(n) > len(f.Text()) {
			t.Fatalf("%s: %d to %d of %d", f.Kind(n), f.Start(n), f.End(n), len(f.Text()))
		}
		if f.Kind(n) == None {
			t.Fatalf("node %d has no kind", n)
		}
		for c := range f.Children(n) {
			if f.Parent(c) != n {
				t.Fatalf("node %d has another parent than %d", c, n)
			}
		}
		depth = 0
		for range f.Ancestors(n) {
			depth++
		}
		if depth > MaxDepth+1 {
			t.Fatalf("node %d lies %d deep", n, depth)
		}
	}
	if !slices.IsSortedFunc(f.Errors, func(a, b Error) int { return a.Offset - b.Offset }) {
		t.Fatalf("errors out of order: %v", f.Errors)
	}
	for _, d := range f.Dropped {
		if d.First < 1 || d.First > d.Last || d.Last > max(1, f.Lines()) {
			t.Fatalf("dropped %d to %d of %d lines", d.First, d.Last, f.Lines())
		}
	}
}
