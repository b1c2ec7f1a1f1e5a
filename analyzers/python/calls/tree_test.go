package calls

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// filesOf makes a Tree of texts by name.
func filesOf(files map[string]string) *Tree {
	var list []string
	for name := range files {
		list = append(list, name)
	}
	slices.Sort(list)
	return NewTree(Source{
		Files: list,
		Has: func(name string) (bool, bool) {
			_, ok := files[name]
			return ok, slices.ContainsFunc(list, func(f string) bool { return strings.HasPrefix(f, name+"/") })
		},
		Read: func(name string) ([]byte, error) {
			text, ok := files[name]
			if !ok {
				return nil, fs.ErrNotExist
			}
			return []byte(text), nil
		},
	})
}

// where names a function: file:line of its definition, + for a method.
func where(fn Func) string {
	if fn.Def == 0 {
		return ""
	}
	bound := ""
	if fn.Method {
		bound = "+"
	}
	return fmt.Sprintf("%s:%d%s", fn.File.Name, fn.File.Syntax.Pos(fn.Def).Line, bound)
}

// callee resolves the last call of a file.
func callee(t *Tree, name string) Func {
	f := t.File(name)
	last := syntax.Node(0)
	for n := range f.Syntax.Preorder(f.Syntax.Root()) {
		if f.Syntax.Kind(n) == syntax.Call && (last == 0 || f.Syntax.Start(n) > f.Syntax.Start(last)) {
			last = n
		}
	}
	return t.Callee(f, last)
}

func TestCalleeOfAnotherFile(t *testing.T) {
	t.Parallel()
	const check = "def check(ids):\n    pass\n\nasync def other(): pass\n"
	const base = "class Base:\n    def step(self): pass\n    @staticmethod\n    def fixed(x): pass\n    @classmethod\n    def make(cls, x): pass\n"
	for name, c := range map[string]struct {
		at    string
		src   string
		more  map[string]string
		wants string
	}{
		"from":                      {src: "from utils.checks import check\ncheck(x)", wants: "utils/checks.py:1"},
		"as":                        {src: "from utils.checks import check as c\nc(x)", wants: "utils/checks.py:1"},
		"module":                    {src: "import utils.checks\nutils.checks.check(x)", wants: "utils/checks.py:1"},
		"module as":                 {src: "import utils.checks as u\nu.check(x)", wants: "utils/checks.py:1"},
		"from folder":               {src: "from utils import checks\nchecks.check(x)", wants: "utils/checks.py:1"},
		"within a function":         {src: "def f():\n    from utils.checks import check\n    check(x)", wants: "utils/checks.py:1"},
		"relative":                  {at: "utils/use.py", src: "from .checks import check\ncheck(x)", wants: "utils/checks.py:1"},
		"relative, above":           {at: "pkg/sub/use.py", src: "from ...utils.checks import check\ncheck(x)", wants: "utils/checks.py:1"},
		"beyond the root":           {at: "use.py", src: "from ..utils.checks import check\ncheck(x)", wants: ""},
		"beside a script":           {at: "scripts/use.py", src: "from helper import h\nh(x)", more: map[string]string{"scripts/helper.py": "def h(): pass"}, wants: "scripts/helper.py:1"},
		"a package is no root":      {at: "pkg/sub/use.py", src: "from helper import h\nh(x)", more: map[string]string{"pkg/__init__.py": "", "pkg/helper.py": "def h(): pass", "pkg/sub/__init__.py": ""}, wants: ""},
		"src":                       {at: "train/use.py", src: "from lib1.a import h\nh(x)", more: map[string]string{"src/lib1/a.py": "def h(): pass"}, wants: "src/lib1/a.py:1"},
		"handed on":                 {src: "from pkg import check\ncheck(x)", more: map[string]string{"pkg/__init__.py": "from .inner import *\n", "pkg/inner.py": "from utils.checks import check\n"}, wants: "utils/checks.py:1"},
		"another name":              {src: "from pkg import verify\nverify(x)", more: map[string]string{"pkg/__init__.py": "import utils.checks as u\nverify = u.check\n"}, wants: "utils/checks.py:1"},
		"in a circle":               {src: "from pkg import a\na(x)", more: map[string]string{"pkg/__init__.py": "from .b import a\n", "pkg/b.py": "from pkg import a\n"}, wants: ""},
		"of the standard library":   {src: "from logging import check\ncheck(x)", more: map[string]string{"logging.py": "def check(): pass"}, wants: ""},
		"not in the tree":           {src: "from torch import check\ncheck(x)", wants: ""},
		"either of two":             {src: "try:\n    from utils.checks import check\nexcept ImportError:\n    def check(x): pass\ncheck(x)", wants: ""},
		"one of two is elsewhere":   {src: "try:\n    from fast import check\nexcept ImportError:\n    from utils.checks import check\ncheck(x)", wants: "utils/checks.py:1"},
		"method of a base":          {src: "from base import Base\nclass A(Base):\n    def run(self):\n        self.step()", wants: "base.py:2+"},
		"super":                     {src: "from base import Base\nclass A(Base):\n    def step(self):\n        super().step()", wants: "base.py:2+"},
		"static":                    {src: "from base import Base\nBase.fixed(x)", wants: "base.py:4"},
		"class method":              {src: "from base import Base\nBase.make(x)", wants: "base.py:6+"},
		"by its class":              {src: "from base import Base\nBase.step(x)", wants: "base.py:2"},
		"an object":                 {src: "from base import Base\nb = Base()\nb.step()", wants: "base.py:2+"},
		"an object of self":         {src: "import base\nclass A:\n    def __init__(self):\n        self.b = base.Base()\n    def run(self):\n        self.b.step()", wants: "base.py:2+"},
		"an object of a base":       {src: "from mid import Mid\nclass A(Mid):\n    def run(self):\n        self.b.step()", more: map[string]string{"mid.py": "from base import Base\nclass Mid:\n    def __init__(self):\n        self.b = Base()\n"}, wants: "base.py:2+"},
		"an object of another file": {src: "from mid import b\nb.step()", more: map[string]string{"mid.py": "from base import Base\nb = Base()\n"}, wants: "base.py:2+"},
		"an annotated one":          {src: "from base import Base\ndef f(b: Base):\n    b.step()", wants: "base.py:2+"},
		"one of two objects":        {src: "from base import Base\nclass Other: pass\nb = Base()\nb = Other()\nb.step()", wants: ""},
		"shadowed":                  {src: "from utils.checks import check\ndef f(check):\n    check(x)", wants: ""},
		"a circle of bases":         {src: "from base2 import B\nclass A(B):\n    def run(self):\n        self.none()", more: map[string]string{"base2.py": "from use import A\nclass B(A): pass\n"}, wants: ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := c.at
			if at == "" {
				at = "use.py"
			}
			files := map[string]string{"utils/checks.py": check, "base.py": base, at: c.src}
			for name, text := range c.more {
				files[name] = text
			}
			require.Equal(t, c.wants, where(callee(filesOf(files), at)))
		})
	}
}

func TestCallersOfATree(t *testing.T) {
	t.Parallel()
	tree := filesOf(map[string]string{
		"a.py":    "def check(ids): pass\nclass C:\n    def run(self): self.go()\n    def go(self): pass\ncheck(1)\n",
		"b.py":    "from a import check as look\nlook(2)\nmap(look, [3])\n",
		"c.py":    "import a\nclass D(a.C):\n    def again(self):\n        self.go()\na.check(4)\n",
		"d.py":    "def check(ids): pass\ncheck(5)\n",
		"none.py": "x = 1\n",
	})
	f := tree.File("a.py")
	var fns []Func
	for n := range f.Syntax.Preorder(f.Syntax.Root()) {
		if f.Syntax.Kind(n).IsFunction() {
			fns = append(fns, Func{File: f, Def: n})
		}
	}
	got := map[string][]string{}
	for i, list := range tree.Callers(fns...) {
		for _, c := range list {
			got[string(f.Syntax.Name(fns[i].Def))] = append(got[string(f.Syntax.Name(fns[i].Def))], c.File.Name+": "+string(c.File.Syntax.Source(c.Node)))
		}
	}
	require.Equal(t, map[string][]string{
		"check": {"a.py: check(1)", "b.py: look(2)", "b.py: look", "c.py: a.check(4)"},
		"go":    {"a.py: self.go()", "c.py: self.go()"},
	}, got)
}

func TestArgumentOfAnotherFile(t *testing.T) {
	t.Parallel()
	tree := filesOf(map[string]string{
		"a.py": "class C:\n    def put(self, x, *more, ids=None): pass\n",
		"b.py": "from a import C\nC().put(1, 2, ids=3)\n",
	})
	f := tree.File("b.py")
	fn := callee(tree, "b.py")
	require.Equal(t, "a.py:2+", where(fn))
	call := f.Syntax.First(f.Syntax.Next(f.Syntax.First(f.Syntax.Root())))
	got := map[string]string{}
	for p := range fn.File.Syntax.ChildrenOf(fn.Def, syntax.RoleParam) {
		if a := Argument(f, call, fn, p); a != 0 {
			got[string(fn.File.Syntax.Name(p))] = string(f.Syntax.Source(a))
		}
	}
	require.Equal(t, map[string]string{"x": "1", "ids": "3"}, got)
}

// TestReadAgain holds that answers stay the same when files were let go, and
// for several goroutines.
func TestReadAgain(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 20 {
		files[fmt.Sprintf("m%d.py", i)] = fmt.Sprintf("from m%d import f\n#%s\nf()\n", i+1, strings.Repeat("x", maxHeld/4))
	}
	files["m6.py"] = "def f(): pass\nf()\n"
	tree := filesOf(files)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 6 {
				require.Equal(t, "m6.py:1", where(callee(tree, fmt.Sprintf("m%d.py", i))), i)
			}
		})
	}
	wg.Wait()
}

// TestMadeByMember holds that what is a member of a class is looked for in no
// base: what it makes has a class that is not known, wherever it stands.
func TestMadeByMember(t *testing.T) {
	t.Parallel()
	tree := filesOf(map[string]string{
		"main.py":   "import shapes\nfrom shapes import Net\nmodel = Net.load()\nmodel.train()\n",
		"made.py":   "import shapes\nmodel = shapes.Net()\nmodel.train()\n",
		"shapes.py": "from base import Base\nclass Net(Base):\n    pass\n",
		"base.py":   "class Base:\n    @classmethod\n    def load(cls):\n        return cls()\n    def train(self):\n        pass\n",
	})
	require.Empty(t, where(callee(tree, "main.py")))
	require.NotContains(t, tree.files, "base.py")
	require.Equal(t, "base.py:5+", where(callee(tree, "made.py")))
}
