package names

import (
	"bytes"
	"iter"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// Table holds the bindings of one tree. The zero Table is ready; Build reuses
// its memory. It is for one goroutine while it is built, then for any number.
type Table struct {
	tree    *syntax.Tree
	entries []entry
	heads   []head
	globals []declared
}

// declared is a name that a function declares global.
type declared struct {
	scope      syntax.Node
	start, end int
}

// Build reads a tree.
func (t *Table) Build(tree *syntax.Tree) {
	t.tree = tree
	t.entries, t.globals = t.entries[:0], t.globals[:0]
	// As many slots as files of this size have bindings: one huge file must not
	// slow all others down.
	want := minSlots
	for want < tree.Len()/16 {
		want *= 2
	}
	t.heads = t.heads[:min(cap(t.heads), want)]
	t.clear()
	w := walker{t: t, tree: tree}
	w.all()
	t.publish()
}

// Tree is what the table was built of.
func (t *Table) Tree() *syntax.Tree { return t.tree }

// maxPublished bounds what a hostile file can ask for: a function that declares
// a name global again and again.
const maxPublished = 10000

// publish gives the module what functions bind to names that they declare
// global.
func (t *Table) publish() {
	root, left := t.tree.Root(), maxPublished
	for _, g := range t.globals {
		if g.scope == root {
			continue // allowed, and says nothing
		}
		name := t.tree.Text()[g.start:g.end]
		for b := range t.Bindings(g.scope, name) {
			if left--; left < 0 {
				return
			}
			if b.How != Outer {
				t.add(root, g.start, g.end, b)
			}
		}
	}
}

// isScope reports whether names bound within a node are its own.
func isScope(k syntax.Kind) bool {
	switch k {
	case syntax.Module, syntax.FunctionDef, syntax.AsyncFunctionDef, syntax.ClassDef, syntax.Lambda,
		syntax.ListComp, syntax.SetComp, syntax.DictComp, syntax.GeneratorExp:
		return true
	}
	return false
}

// within reports whether a child of a scope is evaluated inside of it: bodies
// and parameters are, decorators, defaults, annotations and bases are not.
func within(tree *syntax.Tree, scope, child syntax.Node) bool {
	switch tree.Kind(scope) {
	case syntax.FunctionDef, syntax.AsyncFunctionDef, syntax.ClassDef, syntax.Lambda:
		switch tree.Role(child) {
		case syntax.RoleBody, syntax.RoleTypeParam:
			return true
		}
		return false
	}
	return true
}

// Scope is the innermost scope in which a node is evaluated: a Module,
// function, class, lambda or comprehension.
func (t *Table) Scope(n syntax.Node) syntax.Node {
	child := n
	for p := range t.tree.Ancestors(n) {
		if isScope(t.tree.Kind(p)) && within(t.tree, p, child) {
			return p
		}
		child = p
	}
	return t.tree.Root()
}

// Function is the innermost function with a name around a node, 0: none. A
// function is not around itself.
func (t *Table) Function(n syntax.Node) syntax.Node { return t.around(n, syntax.Kind.IsFunction) }

// Class is the innermost class around a node, through the functions in it;
// 0: none.
func (t *Table) Class(n syntax.Node) syntax.Node {
	return t.around(n, func(k syntax.Kind) bool { return k == syntax.ClassDef })
}

func (t *Table) around(n syntax.Node, is func(syntax.Kind) bool) syntax.Node {
	child := n
	for p := range t.tree.Ancestors(n) {
		if is(t.tree.Kind(p)) && within(t.tree, p, child) {
			return p
		}
		child = p
	}
	return 0
}

// Module is the name of the function of what stands outside of any.
const Module = "<module>"

// Qualified is the name of the function around a node as Python's __qualname__
// gives it: Trainer._run_batch, f.<locals>.g; outside of any, <module>.
func (t *Table) Qualified(n syntax.Node) string {
	f := t.Function(n)
	if f == 0 {
		return Module
	}
	return string(t.qualified(f))
}

func (t *Table) qualified(def syntax.Node) []byte {
	name := t.tree.Name(def)
	child := def
	for p := range t.tree.Ancestors(def) {
		k := t.tree.Kind(p)
		if (k.IsFunction() || k == syntax.ClassDef) && within(t.tree, p, child) {
			out := t.qualified(p)
			if k.IsFunction() {
				out = append(out, ".<locals>"...)
			}
			return append(append(out, '.'), name...)
		}
		child = p
	}
	return bytes.Clone(name)
}

// Lookup gives the bindings of a name where node n reads it: those of the
// innermost scope that binds it. Of a class only its own body sees the names.
func (t *Table) Lookup(n syntax.Node, name []byte) iter.Seq[Binding] {
	scope := t.Resolve(n, name)
	return func(yield func(Binding) bool) {
		if scope == 0 {
			return
		}
		for b := range t.Bindings(scope, name) {
			if !b.Attr && b.How != Outer && !yield(b) {
				return
			}
		}
	}
}

// Resolve finds the scope that binds a name which node n reads, 0: none in
// this file.
func (t *Table) Resolve(n syntax.Node, name []byte) syntax.Node {
	child, first := n, true
	for p := range t.tree.Ancestors(n) {
		k := t.tree.Kind(p)
		if !isScope(k) || !within(t.tree, p, child) {
			child = p
			continue
		}
		child = p
		if k == syntax.ClassDef && !first {
			continue
		}
		first = first && k >= syntax.ListComp && k <= syntax.GeneratorExp
		bound, outer := t.has(p, name)
		if bound && (!outer || p == t.tree.Root()) {
			return p
		}
	}
	return 0
}

// IsSelf reports whether a node is the name of the object that a method is
// called on: its first parameter. cls counts too.
func (t *Table) IsSelf(n syntax.Node) bool {
	if t.tree.Kind(n) != syntax.Name {
		return false
	}
	name := t.tree.Name(n)
	if string(name) == "self" {
		return t.Class(n) != 0
	}
	scope := t.Resolve(n, name)
	return scope != 0 && string(selfName(t.tree, scope)) == string(name)
}

// selfName is the first parameter of a method; nil: the node is no method.
func selfName(tree *syntax.Tree, f syntax.Node) []byte {
	if !tree.Kind(f).IsFunction() || tree.Kind(tree.Parent(f)) != syntax.ClassDef {
		return nil
	}
	for d := range tree.ChildrenOf(f, syntax.RoleDecorate) {
		if string(tree.Name(d)) == "staticmethod" {
			return nil
		}
	}
	p := tree.Child(f, syntax.RoleParam)
	if p == 0 || tree.Op(p) != syntax.Positional && tree.Op(p) != syntax.PositionalOnly {
		return nil
	}
	return tree.Name(p)
}

// maxBases is how many classes are followed for an attribute: no real
// hierarchy of one file is as large, and a cycle ends.
const maxBases = 32

// Attr gives what a class binds to an attribute of its objects: in its body
// and by self, then what the bases that this file defines bind to it.
func (t *Table) Attr(class syntax.Node, name []byte) iter.Seq[Binding] {
	return func(yield func(Binding) bool) {
		left := maxBases
		t.attr(class, name, yield, &left)
	}
}

func (t *Table) attr(class syntax.Node, name []byte, yield func(Binding) bool, left *int) bool {
	if *left--; *left < 0 || class == 0 {
		return *left >= 0
	}
	for b := range t.Bindings(class, name) {
		if !yield(b) {
			return false
		}
	}
	for base := range t.Bases(class) {
		if !t.attr(base, name, yield, left) {
			return false
		}
	}
	return true
}

// Attributes are the names that the methods of a class bind by self, each as
// often as it is bound. It goes through all bindings of the file.
func (t *Table) Attributes(class syntax.Node) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for i := range t.entries {
			if e := &t.entries[i]; e.owner == class && e.Attr && !yield(t.tree.Text()[e.start:e.end]) {
				return
			}
		}
	}
}

// Bases are the classes of this file that a class names as its bases.
func (t *Table) Bases(class syntax.Node) iter.Seq[syntax.Node] {
	return func(yield func(syntax.Node) bool) {
		for base := range t.tree.ChildrenOf(class, syntax.RoleBase) {
			if t.tree.Kind(base) != syntax.Name {
				continue
			}
			for b := range t.Lookup(class, t.tree.Name(base)) {
				if b.How == Class && b.Value != class && !yield(b.Value) {
					return
				}
			}
		}
	}
}
