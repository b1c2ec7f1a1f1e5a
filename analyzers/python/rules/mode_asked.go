package rules

import (
	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// askedNotTo reports whether a call asks a function not to do what stands in it
// at a node: run_epoch(data, model, mode="eval"), where the backward stands
// below if mode == "train".
func askedNotTo(u *modeUnit, call syntax.Node, fn calls.Func, inner syntax.Node) bool {
	t := fn.File.Syntax
	a := asked{u: u, call: call, fn: fn}
	for child, p := inner, t.Parent(inner); p != 0 && p != fn.Def; child, p = p, t.Parent(p) {
		if t.Kind(p) != syntax.If {
			continue
		}
		holds, known := a.truth(t.Child(p, syntax.RoleTest))
		if known && holds == (t.Role(child) == syntax.RoleOrElse) && t.Role(child) != syntax.RoleTest {
			return true
		}
	}
	return false
}

// asked judges the tests of a function by the constants that one call gives it.
type asked struct {
	u    *modeUnit
	call syntax.Node
	fn   calls.Func
}

// truth says whether a test holds, where the constants say so.
func (a asked) truth(n syntax.Node) (holds, known bool) {
	t := a.fn.File.Syntax
	switch t.Kind(n) {
	case syntax.UnaryOp:
		holds, known = a.truth(t.First(n))
		return !holds, known && t.Op(n) == syntax.Not
	case syntax.BoolOp:
		return a.joined(n)
	case syntax.Compare:
		return a.equal(n)
	case syntax.Name:
		in, value := a.given(n)
		switch in.Op(value) {
		case syntax.True:
			return true, true
		case syntax.False, syntax.NoneValue:
			return false, true
		}
	}
	return false, false
}

// joined is the truth of an and or an or: one of its parts may settle it.
func (a asked) joined(n syntax.Node) (holds, known bool) {
	t := a.fn.File.Syntax
	settles := t.Op(n) == syntax.Or
	all := true
	for c := range t.Children(n) {
		h, k := a.truth(c)
		if k && h == settles {
			return settles, true
		}
		all = all && k
	}
	return !settles, all
}

// equal is the truth of a comparison of a parameter with a string.
func (a asked) equal(n syntax.Node) (holds, known bool) {
	t := a.fn.File.Syntax
	left := t.Child(n, syntax.RoleLeft)
	right := t.Child(n, syntax.RoleRight)
	op := t.CompareOp(right)
	want, ok := t.StringValue(right)
	if !ok || t.Next(right) != 0 || t.Kind(left) != syntax.Name || op != syntax.Eq && op != syntax.NotEq {
		return false, false
	}
	in, value := a.given(left)
	got, ok := in.StringValue(value)
	if !ok {
		return false, false
	}
	return (string(got) == string(want)) == (op == syntax.Eq), true
}

// given is the constant that a parameter has in this call, and the tree that it
// stands in: the argument, or else the default.
func (a asked) given(name syntax.Node) (*syntax.Tree, syntax.Node) {
	t := a.fn.File.Syntax
	for b := range a.fn.File.Names.Bindings(a.fn.Def, t.Name(name)) {
		if b.How != names.Param && b.How != names.Annotation {
			return t, 0 // it may be given another value on the way
		}
	}
	for p := range t.ChildrenOf(a.fn.Def, syntax.RoleParam) {
		if string(t.Name(p)) != string(t.Name(name)) {
			continue
		}
		if v := a.fn.Argument(a.u.fn.File, a.call, p); v != 0 {
			return a.u.tree, v
		}
		if unpacks(a.u.tree, a.call) {
			return t, 0
		}
		return t, t.Child(p, syntax.RoleDefault)
	}
	return t, 0
}

// unpacks reports whether a call is handed arguments that are not spelled out.
func unpacks(t *syntax.Tree, call syntax.Node) bool {
	for a := range t.ChildrenOf(call, syntax.RoleArg) {
		if t.Kind(a) == syntax.Starred {
			return true
		}
	}
	for k := range t.ChildrenOf(call, syntax.RoleKeyword) {
		if t.Name(k) == nil {
			return true
		}
	}
	return false
}
