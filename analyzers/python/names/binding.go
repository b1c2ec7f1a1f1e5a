package names

import (
	"iter"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// How a name is bound.
type How uint8

// The ways. Value of a Binding is in brackets.
const (
	Assign     How = iota + 1 // [what is assigned]
	Augment                   // x += [value]
	Annotation                // x: [type], of a parameter too
	Param                     // [its default, 0: none]
	Import                    // import a.b as x [the Alias]
	From                      // from m import a as x [the Alias, a child of the ImportFrom]
	With                      // with [context] as x
	Loop                      // for x in [iterable], of a comprehension too
	Function                  // def x [the definition]
	Class                     // class x [the definition]
	Handler                   // except [type] as x
	Pattern                   // case x [0]
	Outer                     // global x, nonlocal x [0]: bound elsewhere
	Other                     // type aliases, type parameters [0]
)

// Whole is the part of a binding to a value that is not taken apart.
const Whole = -1

// Binding is one place that binds a name.
type Binding struct {
	How    How
	Attr   bool        // of an attribute of self
	Part   int16       // index of the element that is bound; Whole: all of it
	Target syntax.Node // what is bound: a Name, Attribute, Param, Alias, definition, ...
	Value  syntax.Node // by How
	Scope  syntax.Node // that it was written in
}

// entry is a Binding in the table: chained with those of the same scope and name.
type entry struct {
	Binding
	owner      syntax.Node // scope or, of an attribute, class that the name belongs to
	start, end uint32      // the name in the text
	hash       uint32
	next       int32 // index of the next one of this scope and name, -1: none
}

// hash mixes a scope and a name.
func hash(owner syntax.Node, name []byte) uint32 {
	h := uint32(owner)*2654435761 ^ 2166136261
	for _, c := range name {
		h = (h ^ uint32(c)) * 16777619
	}
	return h ^ h>>15
}

// add puts a binding behind those of the same owner and name.
func (t *Table) add(owner syntax.Node, start, end int, b Binding) {
	if 2*len(t.entries) >= len(t.heads) {
		t.grow()
	}
	name := t.tree.Text()[start:end]
	h := hash(owner, name)
	t.entries = append(t.entries, entry{Binding: b, owner: owner, start: uint32(start), end: uint32(end), hash: h, next: -1})
	t.link(int32(len(t.entries) - 1))
}

// link puts an entry into its slot: the slot of a key holds the first and the
// last entry of its chain.
func (t *Table) link(i int32) {
	e := &t.entries[i]
	s := t.slot(e.owner, t.tree.Text()[e.start:e.end], e.hash)
	s.bound = s.bound || !e.Attr
	s.outer = s.outer || e.How == Outer
	if s.first < 0 {
		s.first, s.last = i, i
		return
	}
	t.entries[s.last].next = i
	s.last = i
}

type head struct {
	first, last  int32
	bound, outer bool // the scope binds the name; it says that an outer one does
}

// slot finds the slot of a key, or the empty one where it belongs.
func (t *Table) slot(owner syntax.Node, name []byte, h uint32) *head {
	mask := uint32(len(t.heads) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := &t.heads[i]
		if s.first < 0 {
			return s
		}
		e := &t.entries[s.first]
		if e.hash == h && e.owner == owner && string(t.tree.Text()[e.start:e.end]) == string(name) {
			return s
		}
	}
}

const minSlots = 1 << 10

func (t *Table) grow() {
	n := max(minSlots, 2*len(t.heads))
	if cap(t.heads) >= n {
		t.heads = t.heads[:n]
	} else {
		t.heads = make([]head, n)
	}
	t.clear()
	for i := range t.entries {
		t.entries[i].next = -1
		t.link(int32(i))
	}
}

func (t *Table) clear() {
	for i := range t.heads {
		t.heads[i] = head{first: -1, last: -1}
	}
}

// Bindings are those of a name in one scope, in the order of the source; of a
// class, those of its body and of self.
func (t *Table) Bindings(owner syntax.Node, name []byte) iter.Seq[Binding] {
	return func(yield func(Binding) bool) {
		if len(t.heads) == 0 {
			return
		}
		for i := t.slot(owner, name, hash(owner, name)).first; i >= 0; i = t.entries[i].next {
			if !yield(t.entries[i].Binding) {
				return
			}
		}
	}
}

// has reports whether a scope binds a name by itself, and whether it says that
// the name is one of an outer scope.
func (t *Table) has(owner syntax.Node, name []byte) (bound, outer bool) {
	if len(t.heads) == 0 {
		return false, false
	}
	s := t.slot(owner, name, hash(owner, name))
	return s.bound, s.outer
}
