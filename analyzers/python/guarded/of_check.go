package guarded

import (
	"slices"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// ownErrors are the classes that a check written in this tree raises, in lower
// case, without those that are faults: a handler for ValueError lets a fault
// pass, and catches what such a check says. nil: the check is trainvet's, or
// what it raises is not seen.
func (a *Analyzer) ownErrors(guard syntax.Node) []string {
	tree, from := a.tree, guard
	if a.tree.Kind(guard) == syntax.Call {
		fn := a.definitionOf(guard)
		if fn.Def == 0 {
			return nil
		}
		tree, from = fn.File.Syntax, fn.Def
	}
	var out []string
	for n := range tree.Preorder(from) {
		if tree.Kind(n) != syntax.Raise {
			continue
		}
		c := tree.First(n)
		if tree.Kind(c) == syntax.Call {
			c = tree.First(c)
		}
		if k := tree.Kind(c); k != syntax.Name && k != syntax.Attribute {
			continue
		}
		if name := a.lower(tree.Name(c)); !a.known.fault.Has(name) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// definitionOf is the function that a call calls, in this file or another.
func (a *Analyzer) definitionOf(call syntax.Node) calls.Func {
	if def, method := a.calls.Callee(call); def != 0 {
		return calls.Func{File: a.file, Def: def, Method: method}
	}
	if a.Across == nil {
		return calls.Func{}
	}
	return a.Across.Callee(a.file, call)
}

// meets reports whether a handler of this type, or these, sees what is asked
// about: a fault, or what the check itself raises.
func (a *Analyzer) meets(t syntax.Node) answer {
	if a.ofCheck == nil {
		return a.catches(t)
	}
	for n := range a.tree.Preorder(t) {
		if k := a.tree.Kind(n); k != syntax.Name && k != syntax.Attribute {
			continue
		}
		if name := a.lower(a.tree.Name(n)); a.known.broad.Has(name) || slices.Contains(a.ofCheck, name) {
			return yes
		}
	}
	return no
}

// withOwn adds the handlers of what a check of this tree raises. One that lets a
// fault pass may lose it, and that is what is said then.
func (a *Analyzer) withOwn(list []Handler, guard syntax.Node) []Handler {
	if guard == 0 || !a.swallows() {
		return list
	}
	a.ofCheck = a.ownErrors(guard)
	if a.ofCheck == nil {
		return list
	}
	own := a.handlers(guard)
	a.ofCheck = nil
	var more []Handler
	for _, h := range own {
		i := slices.IndexFunc(list, func(known Handler) bool { return known.At == h.At })
		switch {
		case i < 0:
			more = append(more, h)
		case h.Lost && !list[i].Lost:
			list[i] = h
		}
	}
	return append(more, list...) // the check comes before the decode
}
