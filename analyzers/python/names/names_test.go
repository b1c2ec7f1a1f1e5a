package names

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// build makes the table of a source.
func build(src string) (*syntax.Tree, *Table) {
	f := syntax.Parse([]byte(src))
	t := &Table{}
	t.Build(&f.Tree)
	return &f.Tree, t
}

// use finds the argument of the call see(name): the place that asks.
func use(t *testing.T, tree *syntax.Tree) syntax.Node {
	t.Helper()
	for n := tree.Root(); int(n) < tree.Len(); n++ {
		if tree.Kind(n) == syntax.Call && string(tree.Name(tree.First(n))) == "see" {
			return tree.Child(n, syntax.RoleArg)
		}
	}
	t.Fatal("nothing calls see")
	return 0
}

// values writes what a name is bound to, as how=source.
func values(tree *syntax.Tree, seq func(func(Binding) bool)) string {
	hows := map[How]string{Assign: "=", Augment: "+=", Annotation: ":", Param: "param", Import: "import", From: "from", With: "with", Loop: "in", Function: "def", Class: "class", Handler: "except", Pattern: "case", Other: "other"}
	var out []string
	for b := range seq {
		text := hows[b.How]
		if b.Value != 0 && b.How != Function && b.How != Class {
			text += " " + string(tree.Source(b.Value))
		}
		if b.Part != Whole {
			text += " part " + string(rune('0'+b.Part))
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

func TestLookup(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"module":                {"x = f()\nsee(x)", "= f()"},
		"union":                 {"if a:\n  x = 1\nelse:\n  x = 2\nsee(x)", "= 1; = 2"},
		"function hides module": {"x = 1\ndef g():\n  x = 2\n  see(x)", "= 2"},
		"closure":               {"def g():\n  x = 2\n  def h():\n    see(x)", "= 2"},
		"class is no closure":   {"x = 1\nclass C:\n  x = 2\n  def h(self):\n    see(x)", "= 1"},
		"class body":            {"x = 1\nclass C:\n  x = 2\n  see(x)", "= 2"},
		"parameter":             {"def g(x: T = 3):\n  see(x)", "param 3; : T"},
		"default is outside":    {"x = 1\ndef g(x=see(x)):\n  pass", "= 1"},
		"decorator is outside":  {"x = 1\n@see(x)\ndef g(x):\n  pass", "= 1"},
		"annotation alone":      {"x: T\nsee(x)", ": T"},
		"annotated value":       {"x: T = v\nsee(x)", ": T; = v"},
		"import as":             {"import a.b as x\nsee(x)", "import a.b as x"},
		"import dotted":         {"import x.y.z\nsee(x)", "import x.y.z"},
		"from":                  {"from m import (a,\n  x)\nsee(x)", "from x"},
		"star import":           {"from m import *\nsee(x)", ""},
		"with":                  {"with f() as x:\n  see(x)", "with f()"},
		"for":                   {"for x in xs:\n  see(x)", "in xs"},
		"for part":              {"for i, x in xs:\n  see(x)", "in xs part 1"},
		"tuple to tuple":        {"a, x = b, c\nsee(x)", "= c"},
		"tuple of a call":       {"a, x = f()\nsee(x)", "= f() part 1"},
		"starred":               {"a, *x = b, c, d\nsee(x)", "= b, c, d part 1"},
		"chain":                 {"y = x = f()\nsee(x)", "= f()"},
		"walrus":                {"if (x := f()):\n  see(x)", "= f()"},
		"walrus out of a list":  {"y = [x := f(a) for a in b]\nsee(x)", "= f(a)"},
		"comprehension":         {"x = 1\ny = [see(x) for x in xs]", "in xs"},
		"comprehension is own":  {"x = 1\ny = [x for x in xs]\nsee(x)", "= 1"},
		"lambda":                {"x = 1\ny = lambda x: see(x)", "param"},
		"except":                {"try:\n  pass\nexcept E as x:\n  see(x)", "except E"},
		"match":                 {"match v:\n  case C(a, x):\n    see(x)", "case"},
		"def and class":         {"def x(): pass\nclass x: pass\nsee(x)", "def; class"},
		"augmented":             {"x = 1\nx += 2\nsee(x)", "= 1; += 2"},
		"global read":           {"x = 1\ndef g():\n  global x\n  see(x)", "= 1"},
		"global written":        {"def g():\n  global x\n  x = 2\nsee(x)", "= 2"},
		"global at the top":     {"global x\nx = 2\nsee(x)", "= 2"},
		"nonlocal":              {"def g():\n  x = 1\n  def h():\n    nonlocal x\n    see(x)", "= 1"},
		"unbound":               {"see(x)", ""},
		"attribute is no name":  {"class C:\n  def g(self):\n    self.x = 1\n  see(x)", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree, table := build(c.src)
			n := use(t, tree)
			require.Equal(t, c.want, values(tree, table.Lookup(n, tree.Name(n))))
		})
	}
}

func TestAttributesOfSelf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"another method":   {"class C:\n  def a(self):\n    self.x = f()\n  def b(self):\n    see(self.x)", "= f()"},
		"class body":       {"class C:\n  x: T = 1\n  def b(self):\n    see(self.x)", ": T; = 1"},
		"base of the file": {"class B:\n  def a(self):\n    self.x = f()\nclass C(B):\n  def b(self):\n    see(self.x)", "= f()"},
		"cycle of bases":   {"class B(C): pass\nclass C(B):\n  def b(self):\n    see(self.x)", ""},
		"other first name": {"class C:\n  def a(this):\n    this.x = f()\n  def b(self):\n    see(self.x)", "= f()"},
		"closure":          {"class C:\n  def a(self):\n    def g():\n      self.x = f()\n  def b(self):\n    see(self.x)", "= f()"},
		"static":           {"class C:\n  @staticmethod\n  def a(o):\n    o.x = f()\n  def b(self):\n    see(self.x)", ""},
		"unpacked":         {"class C:\n  def a(self):\n    self.y, self.x = f()\n  def b(self):\n    see(self.x)", "= f() part 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree, table := build(c.src)
			n := use(t, tree)
			require.True(t, table.IsSelf(tree.First(n)))
			require.Equal(t, c.want, values(tree, table.Attr(table.Class(n), tree.Name(n))))
		})
	}
}

func TestQualified(t *testing.T) {
	t.Parallel()
	for want, src := range map[string]string{
		"<module>":                "see(x)",
		"f":                       "def f():\n  see(x)",
		"C.f":                     "class C:\n  def f(self):\n    see(x)",
		"f.<locals>.g":            "def f():\n  def g():\n    see(x)",
		"f.<locals>.C.g":          "def f():\n  class C:\n    async def g(self):\n      see(x)",
		"A.B.f":                   "class A:\n  class B:\n    def f(self):\n      y = lambda: see(x)",
		"f.<locals>.g.<locals>.h": "def f():\n  def g():\n    def h():\n      see(x)",
	} {
		tree, table := build(src)
		require.Equal(t, want, table.Qualified(use(t, tree)))
	}
	tree, table := build("@see(x)\ndef f(): pass")
	require.Equal(t, "<module>", table.Qualified(use(t, tree)), "a decorator runs outside")
}

// TestReuse holds that a table knows nothing of the file before.
func TestReuse(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("a = 1\n", 3000) + "x = 5\n"
	var table Table
	table.Build(&syntax.Parse([]byte(big)).Tree)
	small := syntax.Parse([]byte("y = 1\nsee(x)"))
	table.Build(&small.Tree)
	require.Empty(t, values(&small.Tree, table.Lookup(use(t, &small.Tree), []byte("x"))))
}

// FuzzBuild holds that no text breaks a table, and that what it finds is there.
func FuzzBuild(f *testing.F) {
	for _, s := range []string{"global x\nx=1", "def f():\n global x\n x=1", "class A(A):\n def f(s):\n  s.x=s.x", "lambda x=(x:=1):x", "match x:\n case {**x}: pass", "for x in x:\n x=x", "def f((a,b)): pass"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		file := syntax.Parse(src)
		var table Table
		table.Build(&file.Tree)
		for n := file.Root(); int(n) < file.Len(); n++ {
			if file.Kind(n) != syntax.Name {
				continue
			}
			for b := range table.Lookup(n, file.Name(n)) {
				if int(b.Target) <= 0 || int(b.Target) >= file.Len() {
					t.Fatalf("a binding of %q has no target", file.Name(n))
				}
			}
			table.Qualified(n)
		}
	})
}
