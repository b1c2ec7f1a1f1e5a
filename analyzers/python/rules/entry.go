package rules

import (
	"bytes"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// entryPoint is the test that makes a file one that is run, if __name__ ==
// "__main__", where the same file computes gradients and steps an optimizer; 0:
// it is none.
func (f *File) entryPoint() syntax.Node {
	if !f.trains() || !f.stepsOf([]string{"optim", "opt"}, []string{"sched"}) {
		return 0
	}
	for n := range f.All(syntax.If) {
		if test := f.Child(n, syntax.RoleTest); f.Kind(test) == syntax.Compare && strings.Contains(f.Src(test), "__name__") && f.Kind(f.Parent(n)) == syntax.Module {
			return n
		}
	}
	return 0
}

// mentions reports whether the text of the file, or of one whose function it
// calls by name, holds a word in whatever letter case.
func (f *File) mentions(word string) bool {
	if bytes.Contains(bytes.ToLower(f.Text()), []byte(word)) {
		return true
	}
	if f.Across == nil {
		return false
	}
	seen := map[string]bool{}
	for n := range f.Preorder(f.Root()) {
		if f.Kind(n) != syntax.Call {
			continue
		}
		fn := f.Across.Callee(f.View, n)
		if fn.Def == 0 || seen[fn.File.Name] || fn.File == f.View {
			continue
		}
		seen[fn.File.Name] = true
		if bytes.Contains(bytes.ToLower(fn.File.Syntax.Text()), []byte(word)) {
			return true
		}
	}
	return false
}
