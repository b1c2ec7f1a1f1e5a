package calls

import (
	"iter"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// Func is a function of a tree. The zero Func is none.
type Func struct {
	File   *File
	Def    syntax.Node
	Method bool // its first parameter is filled by the object
}

// Same reports whether two are the same function: a file may be read twice.
func (f Func) Same(o Func) bool {
	return f.Def != 0 && f.Def == o.Def && f.File.Name == o.File.Name
}

// Callee is the function that a call, or an expression that is handed on,
// calls: of this file or another one. The zero Func: it is not known.
func (t *Tree) Callee(f *File, n syntax.Node) Func {
	if def, method := f.index.Callee(n); def != 0 {
		return Func{f, def, method}
	}
	fun := n
	if f.Syntax.Kind(n) == syntax.Call {
		fun = f.Syntax.Child(n, syntax.RoleFunc)
	}
	if k := f.Syntax.Kind(fun); k != syntax.Name && k != syntax.Attribute {
		return Func{}
	}
	s := t.Symbol(f, fun)
	switch {
	case s.Is == Function:
		return Func{s.File, s.Node, t.onClass(f, fun, s)}
	case s.Is == Class: // a call of a class is one of its __init__
		return t.Method(s, []byte("__init__"))
	case f.Syntax.Kind(fun) == syntax.Attribute:
		return t.Method(t.ClassOf(f, f.Syntax.First(fun)), f.Syntax.Name(fun))
	}
	return Func{}
}

// onClass reports whether a function that is named by its class gets it as its
// first argument.
func (t *Tree) onClass(f *File, fun syntax.Node, s Symbol) bool {
	return f.Syntax.Kind(fun) == syntax.Attribute && decorated(s.File, s.Node, "classmethod")
}

func decorated(f *File, def syntax.Node, by string) bool {
	for d := range f.Syntax.ChildrenOf(def, syntax.RoleDecorate) {
		if string(f.Syntax.Name(d)) == by {
			return true
		}
	}
	return false
}

// ClassOf is the class of the object that an expression gives: self, what a
// call of a class makes, what a name or an attribute of self is bound to or
// annotated with. All bindings that say something must say the same.
func (t *Tree) ClassOf(f *File, n syntax.Node) Symbol { return t.classOf(f, n, maxHops) }

func (t *Tree) classOf(f *File, n syntax.Node, hops int) Symbol {
	if hops == 0 || n == 0 {
		return Symbol{}
	}
	switch f.Syntax.Kind(n) {
	case syntax.Call:
		fun := f.Syntax.Child(n, syntax.RoleFunc)
		if f.Syntax.Kind(fun) == syntax.Name && string(f.Syntax.Name(fun)) == "super" {
			return Symbol{Is: Class, File: f, Node: f.Names.Class(n), above: true}
		}
		if s := t.made(f, fun, hops); s.Is == Class {
			return s
		}
	case syntax.Name:
		if class := f.Names.Class(n); class != 0 && f.Names.IsSelf(n) {
			return Symbol{Is: Class, File: f, Node: class}
		}
		var out Symbol
		hops = affordable(hops, f.Names.Lookup(n, f.Syntax.Name(n)))
		for b := range f.Names.Lookup(n, f.Syntax.Name(n)) {
			if !t.join(&out, f, b, hops) {
				return Symbol{}
			}
		}
		if out.Is == 0 { // one that another file made
			if s := t.symbol(f, n, hops); s.Is == Value && (s.File != f || s.Node != n) {
				return t.classOf(s.File, s.Node, hops-1)
			}
		}
		return out
	case syntax.Attribute:
		object := f.Syntax.First(n)
		if !f.Names.IsSelf(object) {
			return Symbol{}
		}
		var out Symbol
		for at, b := range t.Attr(Symbol{Is: Class, File: f, Node: f.Names.Class(n)}, f.Syntax.Name(n)) {
			if !t.join(&out, at, b, hops) {
				return Symbol{}
			}
		}
		return out
	}
	return Symbol{}
}

// affordable is how many names are followed from one that has these bindings:
// each of them may lead to as many again.
func affordable(hops int, bindings iter.Seq[names.Binding]) int {
	n := 0
	for range bindings {
		n++
	}
	switch {
	case n <= 4:
		return hops
	case n <= 16:
		return min(hops, 3)
	}
	return min(hops, 2)
}

// made is the symbol of a callee, as far as it can be a class. What is a member
// of a class is none, and need not be looked for in its bases: they often lie in
// files that nothing else asks for.
func (t *Tree) made(f *File, fun syntax.Node, hops int) Symbol {
	if f.Syntax.Kind(fun) != syntax.Attribute {
		return t.symbol(f, fun, hops)
	}
	of := t.symbol(f, f.Syntax.First(fun), hops-1)
	if of.Is != Module {
		return Symbol{}
	}
	return t.member(of, f.Syntax.Name(fun), hops-1)
}

// join adds what a binding says of the class of an object; false: it says
// something else than those before.
func (t *Tree) join(out *Symbol, f *File, b names.Binding, hops int) bool {
	var s Symbol
	switch b.How {
	case names.Assign, names.With:
		if b.Part == names.Whole {
			s = t.classOf(f, b.Value, hops-1)
		}
	case names.Annotation:
		if found := t.symbol(f, b.Value, hops-1); found.Is == Class {
			s = found
		}
	}
	if s.Is == 0 {
		return true
	}
	if out.Is != 0 && !out.same(s) {
		return false
	}
	*out = s
	return true
}

// maxClasses is how many classes are looked at for one attribute.
const maxClasses = 32

// Lineage are a class and its bases, in this file and others, the nearest
// first. Bases that are not in the tree are left out.
func (t *Tree) Lineage(class Symbol) iter.Seq[Symbol] {
	return func(yield func(Symbol) bool) {
		if class.Is != Class || class.Node == 0 {
			return
		}
		left := maxClasses
		if !class.above && !yield(class) {
			return
		}
		t.bases(class, yield, &left)
	}
}

func (t *Tree) bases(class Symbol, yield func(Symbol) bool, left *int) bool {
	f := class.File
	for n := range f.Syntax.ChildrenOf(class.Node, syntax.RoleBase) {
		if *left--; *left < 0 {
			return false
		}
		s := t.Symbol(f, n)
		if s.Is != Class || s.same(class) {
			continue
		}
		if !yield(s) || !t.bases(s, yield, left) {
			return false
		}
	}
	return true
}

// Method is what a call of a method of a class's object calls.
func (t *Tree) Method(class Symbol, name []byte) Func {
	for c := range t.Lineage(class) {
		def := syntax.Node(0)
		for b := range c.File.Names.Bindings(c.Node, name) {
			if b.How == names.Function {
				def = b.Value // the last one: those before are overloads
			}
		}
		if def != 0 {
			return Func{c.File, def, !decorated(c.File, def, "staticmethod")}
		}
	}
	return Func{}
}

// Attr gives what a class and its bases, in any file, bind to an attribute of
// their objects.
func (t *Tree) Attr(class Symbol, name []byte) iter.Seq2[*File, names.Binding] {
	return func(yield func(*File, names.Binding) bool) {
		for c := range t.Lineage(class) {
			for b := range c.File.Names.Bindings(c.Node, name) {
				if !yield(c.File, b) {
					return
				}
			}
		}
	}
}

// Argument is what a call hands to a parameter of a function; 0: it is not
// seen. param is a node of the function's file, the result one of the call's.
func Argument(at *File, call syntax.Node, fn Func, param syntax.Node) syntax.Node {
	return argument(at.Syntax, call, fn.File.Syntax, fn.Def, fn.Method, param)
}
