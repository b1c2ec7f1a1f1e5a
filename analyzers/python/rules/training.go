package rules

import (
	"iter"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// epochLoops are the loops over epochs of a file, those of one epoch left out.
func (f *File) epochLoops() iter.Seq[syntax.Node] {
	return func(yield func(syntax.Node) bool) {
		for loop := range f.All(syntax.For) {
			target := strings.ToLower(f.Src(f.Child(loop, syntax.RoleTarget)))
			over := f.Child(loop, syntax.RoleIter)
			if !strings.Contains(target, "epoch") && !strings.Contains(strings.ToLower(f.Src(over)), "epoch") {
				continue
			}
			if f.Kind(over) == syntax.Call && f.Last(over) == "range" && f.Src(f.Arg(over, 0)) == "1" && f.Arg(over, 1) == 0 {
				continue
			}
			if !yield(loop) {
				return
			}
		}
	}
}

// evaluates reports whether a name is one of what is evaluated with, not
// trained.
func evaluates(name string) bool {
	return says(name, []string{"val", "test", "eval", "dev", "infer", "predict", "generat"})
}

// assigned is the last name that the value at a node is assigned to, or the
// keyword that it is handed over by; empty: neither.
func (f *File) assigned(n syntax.Node) string {
	for p := f.Parent(n); p != 0; n, p = p, f.Parent(p) {
		switch k := f.Kind(p); {
		case k == syntax.Assign || k == syntax.AnnAssign:
			return f.Src(f.Child(p, syntax.RoleTarget))
		case k == syntax.Keyword:
			return string(f.Name(p))
		case k == syntax.IfExp, k == syntax.BoolOp, k == syntax.NamedExpr:
		default:
			return ""
		}
	}
	return ""
}

// callsAny reports whether something within a node calls a function or method of
// one of these names.
func (f *File) callsAny(n syntax.Node, names ...string) bool {
	for c := range f.Preorder(n) {
		if f.Kind(c) != syntax.Call {
			continue
		}
		last := f.Last(f.First(c))
		for _, name := range names {
			if last == name {
				return true
			}
		}
	}
	return false
}

// trains reports whether the file computes gradients somewhere.
func (f *File) trains() bool {
	for range f.CallsOf("backward") {
		return true
	}
	return false
}
