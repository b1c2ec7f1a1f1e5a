package names

import (
	"iter"
	"slices"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// Members gives the elements of a tuple such as an except clause has, those of
// tuples that a name among them is bound to as well: of `(OSError, *transient)`
// OSError, transient, and what transient holds. A tuple that leads back to itself
// is gone through once.
func (t *Table) Members(n syntax.Node) iter.Seq[syntax.Node] {
	return func(yield func(syntax.Node) bool) {
		var seen []syntax.Node
		t.members(n, &seen, yield)
	}
}

func (t *Table) members(n syntax.Node, seen *[]syntax.Node, yield func(syntax.Node) bool) bool {
	switch t.tree.Kind(n) {
	case syntax.Tuple, syntax.Starred, syntax.BinOp:
		if slices.Contains(*seen, n) {
			return true
		}
		*seen = append(*seen, n)
		for e := range t.tree.Children(n) {
			if !t.members(e, seen, yield) {
				return false
			}
		}
		return true
	case syntax.Name, syntax.Attribute:
		if !yield(n) {
			return false
		}
		for b := range t.Lookup(n, t.tree.Name(n)) {
			if b.How != Assign || b.Part != Whole {
				continue
			}
			if k := t.tree.Kind(b.Value); (k == syntax.Tuple || k == syntax.BinOp) && !t.members(b.Value, seen, yield) {
				return false
			}
		}
		return true
	}
	return yield(n)
}
