package guarded

import (
	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// bits are the bounds that each id was held against.
type bits uint8

const (
	lower bits = 1 << iota
	upper
	both = lower | upper
)

// value is what is known of the ids that an expression holds.
type value struct {
	bits  bits
	guard syntax.Node // a check that they passed, 0: none
	empty bool        // there are none, as far as is seen
	unset bool        // nothing is known yet
}

var (
	top     = value{bits: both, empty: true, unset: true} // of no path
	nothing = value{bits: both, empty: true}              // of an empty list
	host    = value{bits: both}                           // made on the host
	unknown = value{}
)

// and joins the values of two paths, or of two parts.
func (v value) and(o value) value {
	v.bits &= o.bits
	if v.guard == 0 {
		v.guard = o.guard
	}
	v.empty, v.unset = v.empty && o.empty, v.unset && o.unset
	return v
}

// checked adds what a check holds.
func (v value) checked(b bits, guard syntax.Node) value {
	if b == 0 {
		return v
	}
	return value{bits: v.bits | b, guard: guard}
}

// maxHops is how far values are followed through names and calls.
const maxHops = 12

// base takes off an expression what hands on the ids as they are. Whole is
// false where only a part of them is left; narrowed is where they lose bits.
func (a *Analyzer) base(n syntax.Node) (root syntax.Node, whole bool, narrowed syntax.Node) {
	whole = true
	for {
		next, part, narrows := a.peel(n)
		if next == 0 {
			return n, whole, narrowed
		}
		whole = whole && !part
		if narrows && narrowed == 0 {
			narrowed = n
		}
		n = next
	}
}

// peel takes one layer off; 0: there is none.
func (a *Analyzer) peel(n syntax.Node) (next syntax.Node, part, narrows bool) {
	switch a.tree.Kind(n) {
	case syntax.Starred, syntax.Await:
		return a.tree.First(n), false, false
	case syntax.NamedExpr:
		return a.tree.Child(n, syntax.RoleValue), false, false
	case syntax.Subscript:
		if a.textKey(n) {
			return 0, false, false
		}
		return a.tree.First(n), true, false
	case syntax.Attribute:
		if a.known.sameAttribute.Has(a.last(n)) {
			return a.tree.First(n), false, false
		}
	case syntax.Call:
		return a.peelCall(n)
	}
	return 0, false, false
}

func (a *Analyzer) peelCall(n syntax.Node) (next syntax.Node, part, narrows bool) {
	fun := a.tree.First(n)
	name := a.last(fun)
	arg := a.tree.Child(n, syntax.RoleArg)
	if a.tree.Kind(fun) == syntax.Attribute && !a.isModule(a.tree.First(fun)) {
		switch {
		case a.known.narrowMethod.Has(name):
			return a.tree.First(fun), false, true
		case a.known.sameMethod.Has(name):
			return a.tree.First(fun), false, a.narrows(n)
		case a.known.partMethod.Has(name):
			return a.tree.First(fun), true, false
		}
		return 0, false, false
	}
	if k := a.tree.Kind(fun); k != syntax.Name && k != syntax.Attribute {
		return 0, false, false
	}
	switch {
	case arg == 0:
	case name == "map" && a.last(arg) == "int" && a.tree.Next(arg) != 0:
		return a.tree.Next(arg), false, false
	case a.known.sameFunction.Has(name):
		return arg, false, a.narrows(n)
	case a.known.partFunction.Has(name):
		return arg, true, false
	}
	return 0, false, false
}

// narrows reports whether an argument of a conversion is a type that cannot
// hold all ids.
func (a *Analyzer) narrows(call syntax.Node) bool {
	for c := range a.tree.Children(call) {
		t := c
		switch a.tree.Role(c) {
		case syntax.RoleKeyword:
			t = a.tree.Child(c, syntax.RoleValue)
		case syntax.RoleArg:
		default:
			continue
		}
		if v, ok := a.tree.StringValue(t); ok {
			if a.known.narrowType.Has(string(v)) {
				return true
			}
			continue
		}
		if k := a.tree.Kind(t); (k == syntax.Attribute || k == syntax.Name) && a.known.narrowType.Has(a.last(t)) {
			return true
		}
	}
	return false
}

func (a *Analyzer) isModule(n syntax.Node) bool {
	if a.tree.Kind(n) != syntax.Name {
		return a.tree.Kind(n) == syntax.Attribute && a.isModule(a.tree.First(n))
	}
	for b := range a.names.Lookup(n, a.tree.Name(n)) {
		if b.How == names.Import {
			return true
		}
	}
	return false
}

// textKey reports whether an expression is subscripted with constant text: a
// variable of its own, like an attribute.
func (a *Analyzer) textKey(n syntax.Node) bool {
	s := a.tree.Child(n, syntax.RoleSlice)
	return a.tree.Kind(s) == syntax.Constant && a.tree.Op(s) == syntax.Str
}

// key names the variable that an expression is: ids, out.sequences,
// batch["ids"]. Empty: it is none.
func (a *Analyzer) key(n syntax.Node) string {
	switch a.tree.Kind(n) {
	case syntax.Name:
		return string(a.tree.Name(n))
	case syntax.Attribute:
		if object := a.key(a.tree.First(n)); object != "" {
			return object + "." + string(a.tree.Name(n))
		}
	case syntax.Subscript:
		if object := a.key(a.tree.First(n)); object != "" && a.textKey(n) {
			v, _ := a.tree.StringValue(a.tree.Child(n, syntax.RoleSlice))
			return object + "[" + string(v) + "]"
		}
	}
	return ""
}

// value says what is known of the ids of an expression at a vertex.
func (f *function) value(n syntax.Node, at flow.Vertex, hops int) value {
	if hops == 0 || n == 0 {
		return unknown
	}
	root, _, _ := f.a.base(n)
	v := f.root(root, at, hops)
	if v.guard == 0 && !v.empty && f.a.moved(n, root) {
		return unknown // what was on a device is not the host's any more
	}
	return v
}

// moved reports whether an expression is brought to a device on the way from
// its root.
func (a *Analyzer) moved(n, root syntax.Node) bool {
	for n != root {
		if fun := a.tree.First(n); a.tree.Kind(n) == syntax.Call && a.tree.Kind(fun) == syntax.Attribute {
			switch name := a.last(fun); {
			case name == "cuda":
				return true
			case name == "to":
				arg := a.tree.Child(n, syntax.RoleArg)
				text, _ := a.tree.StringValue(arg)
				if arg != 0 && string(text) != "cpu" && !(a.tree.Kind(arg) == syntax.Attribute && a.isModule(a.tree.First(arg))) {
					return true
				}
			}
		}
		n, _, _ = a.peel(n)
	}
	return false
}

func (f *function) root(root syntax.Node, at flow.Vertex, hops int) value {
	tree := f.a.tree
	switch tree.Kind(root) {
	case syntax.Constant:
		if tree.Op(root) == syntax.NoneValue {
			return nothing
		}
		return host
	case syntax.List, syntax.Tuple, syntax.Set:
		v := nothing
		for e := range tree.Children(root) {
			v = v.and(f.value(e, at, hops-1))
		}
		return v
	case syntax.ListComp, syntax.GeneratorExp, syntax.SetComp:
		return f.value(tree.Child(root, syntax.RoleElement), at, hops-1)
	case syntax.IfExp:
		return f.value(tree.Child(root, syntax.RoleBody), at, hops-1).and(f.value(tree.Child(root, syntax.RoleOrElse), at, hops-1))
	case syntax.BoolOp:
		v := nothing
		for e := range tree.Children(root) {
			v = v.and(f.value(e, at, hops-1))
		}
		return v
	case syntax.BinOp:
		return f.joined(root, at, hops)
	case syntax.Call:
		return f.called(root, at, hops)
	case syntax.Name, syntax.Attribute, syntax.Subscript:
		return f.variable(root, at, hops)
	}
	return unknown
}

// joined knows lists that are put together; arithmetic makes other values.
func (f *function) joined(n syntax.Node, at flow.Vertex, hops int) value {
	tree := f.a.tree
	left, right := tree.Child(n, syntax.RoleLeft), tree.Child(n, syntax.RoleRight)
	if tree.Op(n) != syntax.Add || tree.Kind(left) == syntax.Constant || tree.Kind(right) == syntax.Constant {
		return unknown
	}
	return f.value(left, at, hops-1).and(f.value(right, at, hops-1))
}

// called is what a call gives: a guard its ids, a tokenizer those of text.
func (f *function) called(call syntax.Node, at flow.Vertex, hops int) value {
	if g := f.a.guardOf(call); g.arg != 0 && g.returns {
		return f.value(g.arg, at, hops-1).checked(g.bits, call)
	}
	if f.a.encodes(call) {
		return host
	}
	return unknown
}

// encodes reports whether a call makes ids of text.
func (a *Analyzer) encodes(call syntax.Node) bool {
	fun := a.tree.First(call)
	switch a.tree.Kind(fun) {
	case syntax.Attribute:
		if object := a.last(a.tree.First(fun)); a.known.hostMethod.Has(a.last(fun)) && !a.known.hostNot.Has(object) {
			return !a.moves(call)
		}
		return a.known.hostCall.Has(a.last(fun)) && !a.known.hostNot.Has(a.last(fun))
	case syntax.Name:
		return a.known.hostCall.Has(a.last(fun)) && !a.known.hostNot.Has(a.last(fun))
	}
	return false
}

// moves reports whether a call is told a device.
func (a *Analyzer) moves(call syntax.Node) bool {
	for k := range a.tree.ChildrenOf(call, syntax.RoleKeyword) {
		if string(a.tree.Name(k)) == "device" {
			return true
		}
	}
	return false
}

// variable is what a variable holds at a vertex.
func (f *function) variable(n syntax.Node, at flow.Vertex, hops int) value {
	if iter, part := f.a.loopOf(n); iter != 0 {
		return f.element(iter, part, at, hops-1)
	}
	k := f.a.key(n)
	if k == "" { // tok(text).input_ids, encode(text)["ids"]
		if first := f.a.tree.First(n); f.a.tree.Kind(first) == syntax.Call && f.a.encodes(first) {
			return host
		}
		return unknown
	}
	return f.at(k, at)
}

// loopOf finds what a variable of a comprehension goes over. Those of lambdas
// that are handed to map count too.
func (a *Analyzer) loopOf(n syntax.Node) (iter syntax.Node, part int16) {
	if a.tree.Kind(n) != syntax.Name {
		return 0, 0
	}
	scope := a.names.Resolve(n, a.tree.Name(n))
	switch a.tree.Kind(scope) {
	case syntax.ListComp, syntax.SetComp, syntax.DictComp, syntax.GeneratorExp:
		for b := range a.names.Bindings(scope, a.tree.Name(n)) {
			if b.How == names.Loop {
				return a.unnested(b)
			}
		}
	case syntax.Lambda:
		return a.mapped(scope), names.Whole
	}
	return 0, 0
}

// unnested finds what a variable goes over that stands in a tuple within one:
// the index of the binding is that of the inner tuple.
func (a *Analyzer) unnested(b names.Binding) (iter syntax.Node, part int16) {
	outer := a.tree.Parent(a.tree.Parent(b.Target))
	if k := a.tree.Kind(outer); k != syntax.Tuple && k != syntax.List {
		return b.Value, b.Part
	}
	if a.tree.Kind(b.Value) == syntax.Call && a.last(a.tree.First(b.Value)) == "enumerate" {
		return a.tree.Child(b.Value, syntax.RoleArg), b.Part
	}
	return 0, 0
}

// element is what a loop over an expression gives.
func (f *function) element(iter syntax.Node, part int16, at flow.Vertex, hops int) value {
	n, counted := f.a.iterated(iter, part)
	if counted {
		return host
	}
	return f.value(n, at, hops)
}

// iterated finds the expression whose elements a loop variable is: of zip and
// enumerate the one at its place.
func (a *Analyzer) iterated(iter syntax.Node, part int16) (n syntax.Node, counted bool) {
	for a.tree.Kind(iter) == syntax.Call {
		arg := a.tree.Child(iter, syntax.RoleArg)
		switch name := a.last(a.tree.First(iter)); {
		case arg == 0:
			return iter, false
		case name == "range":
			return 0, true
		case name == "enumerate":
			if part == 0 {
				return 0, true
			}
			return arg, false
		case name == "zip" && part >= 0:
			for ; part > 0 && arg != 0; part-- {
				arg = a.tree.Next(arg)
			}
			return arg, false
		case a.known.partFunction.Has(name) && a.tree.Kind(arg) == syntax.Call:
			iter = arg
		default:
			return iter, false
		}
	}
	return iter, false
}
