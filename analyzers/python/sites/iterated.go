package sites

import (
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// maxNested is how deep targets are nested that are taken apart: for i, (a, b)
// in enumerate(zip(x, y)) has two.
const maxNested = 4

// iterated is what a binding gets its values from: of a loop over zip() and
// enumerate() the argument that goes to this target. 0: they only count.
func (f *Finder) iterated(b names.Binding) syntax.Node {
	if b.How != names.Loop || b.Part == names.Whole {
		return b.Value
	}
	var path [maxNested]int // from the innermost target outwards
	depth := 0
	for n := b.Target; depth < maxNested; n = f.tree.Parent(n) {
		p := f.tree.Parent(n)
		if k := f.tree.Kind(p); k != syntax.Tuple && k != syntax.List {
			break
		}
		for c := f.tree.First(p); c != n; c = f.tree.Next(c) {
			path[depth]++
		}
		depth++
	}
	value := b.Value
	for depth > 0 && f.tree.Kind(value) == syntax.Call {
		fun := f.function(value)
		first := f.arg(value, 0)
		switch name := f.tail(fun); {
		case f.tree.Kind(fun) == syntax.Name && name == "zip":
			a := f.arg(value, path[depth-1])
			if a == 0 || f.tree.Kind(first) == syntax.Starred {
				return b.Value
			}
			value, depth = a, depth-1
		case f.tree.Kind(fun) == syntax.Name && name == "enumerate":
			if path[depth-1] == 0 {
				return 0
			}
			value, depth = first, depth-1
		case first != 0 && f.known.carryFunction.Has(name): // tqdm(zip(x, y))
			value = first
		default:
			return value
		}
	}
	return value
}

// loopAround is the binding of a name by a loop that the name stands in: another
// loop may go over something else under the same name.
func (f *Finder) loopAround(n syntax.Node) (out names.Binding, ok bool) {
	for b := range f.lookup(n, f.tree.Name(n)) {
		if b.How != names.Loop {
			continue
		}
		for p := f.tree.Parent(b.Target); p != 0; p = f.tree.Parent(p) {
			if k := f.tree.Kind(p); k == syntax.Tuple || k == syntax.List || k == syntax.Starred {
				continue
			}
			if f.tree.Start(p) <= f.tree.Start(n) && f.tree.Start(n) < f.tree.End(p) {
				out, ok = b, true // the innermost comes last
			}
			break
		}
	}
	return out, ok
}
