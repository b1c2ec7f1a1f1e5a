package guarded

import (
	"iter"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// maxFiles is through how many files a guard is followed: a function of another
// file that calls one of a third.
const maxFiles = 3

// maxForeign bounds the functions of other files that are remembered.
const maxForeign = 10000

// foreignKey is a function of another file, and how far it may be followed:
// what is found must not depend on who asked before.
type foreignKey struct {
	file  string
	def   syntax.Node
	depth int
}

// checked is a parameter that a function of another file checks. It holds no
// node, so that the file can be let go.
type checked struct {
	place   int    // among the positional arguments, without self; -1: by keyword only
	name    string // of the parameter
	bits    bits
	returns bool
}

// namedGuard finds the guard that a callee is by what people name.
func (a *Analyzer) namedGuard(fun syntax.Node) *Guard {
	list := a.Guards[string(a.tree.Name(fun))]
	for i := range list {
		if a.Across == nil || a.Across.Means(a.file, fun, list[i].Definition) {
			return &list[i]
		}
	}
	return nil
}

// foreignGuard says what a call of a function of another file checks.
func (a *Analyzer) foreignGuard(call, fun syntax.Node) guardCall {
	if a.depth == 0 || !a.takes(call) || !a.elsewhere(fun) {
		return guardCall{}
	}
	g, ok := a.asked[call]
	if !ok {
		g = a.foreignCall(call)
		a.asked[call] = g
	}
	return g
}

func (a *Analyzer) foreignCall(call syntax.Node) guardCall {
	fn := a.Across.Callee(a.file, call)
	if fn.Def == 0 {
		return guardCall{}
	}
	for _, c := range a.checkedBy(fn) {
		if arg := a.argumentAt(call, c); arg != 0 {
			return guardCall{arg, c.bits, c.returns}
		}
	}
	return guardCall{}
}

// takes reports whether a call is given anything that can be ids.
func (a *Analyzer) takes(call syntax.Node) bool {
	for range a.given(call) {
		return true
	}
	return false
}

// given yields the variables that the arguments of a call begin with.
func (a *Analyzer) given(call syntax.Node) iter.Seq[string] {
	return func(yield func(string) bool) {
		for c := range a.tree.Children(call) {
			switch a.tree.Role(c) {
			case syntax.RoleKeyword:
				c = a.tree.Child(c, syntax.RoleValue)
			case syntax.RoleArg:
			default:
				continue
			}
			root, _, _ := a.base(c)
			if k := a.key(root); k != "" && !yield(k) {
				return
			}
		}
	}
}

// elsewhere reports whether a callee may stand for a function of another file
// of the tree. It reads none.
func (a *Analyzer) elsewhere(fun syntax.Node) bool {
	return a.Across != nil && a.Across.Elsewhere(a.file, fun)
}

// checkedBy says which parameters a function of another file checks.
func (a *Analyzer) checkedBy(fn calls.Func) []checked {
	key := foreignKey{fn.File.Name, fn.Def, a.depth}
	if list, ok := a.foreign[key]; ok {
		return list
	}
	if len(a.foreign) > maxForeign {
		clear(a.foreign)
	}
	if a.away == nil {
		a.away = newAnalyzer(a.known)
		a.away.lowered = a.lowered
		a.away.Across, a.away.Guards, a.away.depth, a.away.foreign = a.Across, a.Guards, a.depth-1, a.foreign
	}
	a.away.ResetFile(fn.File) // anew each time: what it was asked before must not matter
	list := a.away.checks(fn)
	a.foreign[key] = list
	return list
}

// checks summarises a function of the file.
func (a *Analyzer) checks(fn calls.Func) []checked {
	if !a.mayCheck(fn.Def) {
		return nil
	}
	var out []checked
	place := 0
	if fn.Method {
		place = -1
	}
	for p := range a.tree.ChildrenOf(fn.Def, syntax.RoleParam) {
		op := a.tree.Op(p)
		positional := op == syntax.Positional || op == syntax.PositionalOnly
		if b := a.checksParam(fn.Def, p); b != 0 && (place >= 0 || !positional) {
			c := checked{place: place, name: string(a.tree.Name(p)), bits: b, returns: a.givesBack(fn.Def, p)}
			if !positional {
				c.place = -1
			}
			out = append(out, c)
		}
		if positional {
			place++
		}
	}
	return out
}

// argumentAt is what a call hands to a parameter; 0: it is not seen.
func (a *Analyzer) argumentAt(call syntax.Node, c checked) syntax.Node {
	i := c.place
	for arg := range a.tree.ChildrenOf(call, syntax.RoleArg) {
		if i < 0 || a.tree.Kind(arg) == syntax.Starred {
			break
		}
		if i == 0 {
			return arg
		}
		i--
	}
	for k := range a.tree.ChildrenOf(call, syntax.RoleKeyword) {
		if string(a.tree.Name(k)) == c.name {
			return a.tree.Child(k, syntax.RoleValue)
		}
	}
	return 0
}
