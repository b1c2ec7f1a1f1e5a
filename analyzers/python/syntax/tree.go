package syntax

import (
	"iter"
	"sync"
)

// Node is a node of a Tree: a number, valid for the tree that gave it. The
// zero Node is no node; every method answers zero for it.
type Node int32

// record is what a tree holds of a node: no pointers, so that the collector
// never looks into the arena.
type record struct {
	start, end          uint32 // bytes of the text
	first, next, parent Node
	aux                 uint32 // offset of a second name, or a number; by kind
	kind                Kind
	role                Role
	op                  Op
	flags               flags
}

// flags of a node: the context, parentheses around it, and of an operand of a
// Compare the operator before it.
type flags uint8

const (
	ctxMask    flags = 0b11
	parens     flags = 1 << 2 // written in parentheses that are no part of it
	mark       flags = 1 << 3 // by kind; see simple() and IsRelative()
	cmpShift         = 4
	maxCompare       = int(NotIn - Eq)
)

// Tree is the syntax tree of a file. Its text is UTF-8. It may be read by
// several goroutines.
type Tree struct {
	text  []byte
	nodes []record
	once  sync.Once
	lines []uint32 // offset of each line's first byte, once they are asked for
}

// Root is the Module.
func (t *Tree) Root() Node { return 1 }

// Len is one more than the largest Node.
func (t *Tree) Len() int { return len(t.nodes) }

// Kind of a node.
func (t *Tree) Kind(n Node) Kind { return t.nodes[n].kind }

// Role is what a node is to its parent.
func (t *Tree) Role(n Node) Role { return t.nodes[n].role }

// Op is the operator of a BinOp, BoolOp, UnaryOp or AugAssign, the type of a
// Constant, the kind of a Param, Unpack for a Keyword **x. The operators of a
// Compare are those of its operands: see CompareOp.
func (t *Tree) Op(n Node) Op { return t.nodes[n].op }

// CompareOp is the operator of a comparison that stands before an operand with
// the role RoleRight of a Compare.
func (t *Tree) CompareOp(n Node) Op {
	r := &t.nodes[n]
	if r.role != RoleRight || t.nodes[r.parent].kind != Compare {
		return NoOp
	}
	return Eq + Op(r.flags>>cmpShift)
}

// Conversion is the letter behind ! in a replacement field; 0: none.
func (t *Tree) Conversion(n Node) byte {
	if k := t.nodes[n].kind; k == FormattedValue || k == Interpolation {
		return byte(t.nodes[n].aux)
	}
	return 0
}

// Level is the number of dots before the module of an ImportFrom.
func (t *Tree) Level(n Node) int {
	if t.nodes[n].kind != ImportFrom {
		return 0
	}
	return int(t.nodes[n].aux)
}

// IsAsync reports whether a Comprehension is an async one.
func (t *Tree) IsAsync(n Node) bool {
	return t.nodes[n].kind == Comprehension && t.nodes[n].flags&mark != 0
}

// Context says whether a name, attribute, subscript, starred expression, list
// or tuple is read, bound or deleted.
func (t *Tree) Context(n Node) Context { return Context(t.nodes[n].flags & ctxMask) }

// InParens reports whether an expression is written in parentheses of its own.
func (t *Tree) InParens(n Node) bool { return t.nodes[n].flags&parens != 0 }

// Parent of a node; 0 for the root.
func (t *Tree) Parent(n Node) Node { return t.nodes[n].parent }

// First is the first child, 0: none.
func (t *Tree) First(n Node) Node { return t.nodes[n].first }

// Next is the sibling behind a node, 0: none.
func (t *Tree) Next(n Node) Node { return t.nodes[n].next }

// Children are the children in the order of the source.
func (t *Tree) Children(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c := t.nodes[n].first; c != 0; c = t.nodes[c].next {
			if !yield(c) {
				return
			}
		}
	}
}

// Child is the first child of this role, 0: none.
func (t *Tree) Child(n Node, r Role) Node {
	for c := t.nodes[n].first; c != 0; c = t.nodes[c].next {
		if t.nodes[c].role == r {
			return c
		}
	}
	return 0
}

// ChildrenOf are the children of this role.
func (t *Tree) ChildrenOf(n Node, r Role) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c := t.nodes[n].first; c != 0; c = t.nodes[c].next {
			if t.nodes[c].role == r && !yield(c) {
				return
			}
		}
	}
}

// Ancestors are the nodes above n, the nearest first.
func (t *Tree) Ancestors(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for p := t.nodes[n].parent; p != 0; p = t.nodes[p].parent {
			if !yield(p) {
				return
			}
		}
	}
}

// Preorder gives n and every node below it, parents first, in the order of the
// source. It does not recurse.
func (t *Tree) Preorder(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		t.Walk(n, func(c Node) Walk {
			if !yield(c) {
				return Stop
			}
			return Into
		})
	}
}

// Walk says how a walk goes on behind a node.
type Walk uint8

// The answers of a visitor.
const (
	Into Walk = iota // to its children
	Over             // past them
	Stop             // not at all
)

// Walk visits n and the nodes below it, parents first. It does not recurse.
func (t *Tree) Walk(n Node, visit func(Node) Walk) {
	top := n
	for n != 0 {
		how := visit(n)
		if how == Stop {
			return
		}
		if c := t.nodes[n].first; how == Into && c != 0 {
			n = c
			continue
		}
		for n != top && t.nodes[n].next == 0 {
			n = t.nodes[n].parent
		}
		if n == top {
			return
		}
		n = t.nodes[n].next
	}
}
