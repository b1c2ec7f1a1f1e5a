package guarded

import (
	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// condition asks what a test says of the ids of one variable.
type condition struct {
	f    *function
	key  string
	at   flow.Vertex
	hops int
}

// holds gives the bounds that each id keeps where a test is true, or false.
func (c condition) holds(n syntax.Node, truth bool, left int) bits {
	if left == 0 || c.hops <= 0 {
		return 0
	}
	tree := c.f.a.tree
	if !truth && c.counts(n) {
		return both // there are none
	}
	switch tree.Kind(n) {
	case syntax.UnaryOp:
		if op := tree.Op(n); op == syntax.Not || op == syntax.Invert {
			return c.holds(tree.First(n), !truth, left-1)
		}
	case syntax.BoolOp:
		return c.several(n, (tree.Op(n) == syntax.And) == truth, truth, left)
	case syntax.BinOp:
		if op := tree.Op(n); op == syntax.BitAnd || op == syntax.BitOr {
			return c.several(n, (op == syntax.BitAnd) == truth, truth, left)
		}
	case syntax.Compare:
		return c.compared(n, truth, left)
	case syntax.Call:
		return c.asked(n, truth, left)
	case syntax.Name:
		return c.named(n, truth, left)
	case syntax.ListComp, syntax.SetComp: // of what is out of bounds: an empty one says that nothing is
		if !truth {
			return c.filtered(n, left)
		}
	}
	return 0
}

// several joins operands: all of them hold, or only one of them.
func (c condition) several(n syntax.Node, all, truth bool, left int) bits {
	out := both
	if all {
		out = 0
	}
	for o := range c.f.a.tree.Children(n) {
		if b := c.holds(o, truth, left-1); all {
			out |= b
		} else {
			out &= b
		}
	}
	return out
}

// named looks a flag up: bad = (ids < 0) | (ids >= n).
func (c condition) named(n syntax.Node, truth bool, left int) bits {
	last := c.f.reaching(c.f.a.key(n))[c.at]
	if last < 0 {
		return 0
	}
	d := &c.f.defs[last]
	if d.value == 0 || d.partial || d.loop || d.part != names.Whole || c.f.reaching(c.key)[d.at] != c.f.reaching(c.key)[c.at] {
		return 0
	}
	c.at = d.at
	return c.holds(d.value, truth, left-1)
}

// asked judges calls: any(...), (...).all(), bool(...), torch.any(...), and
// counts of what is out of bounds.
func (c condition) asked(n syntax.Node, truth bool, left int) bits {
	a := c.f.a
	fun := a.tree.First(n)
	inner := a.tree.Child(n, syntax.RoleArg)
	if a.tree.Kind(fun) == syntax.Attribute && !a.isModule(a.tree.First(fun)) {
		inner = a.tree.First(fun)
	}
	switch a.last(fun) {
	case "any", "sum", "count_nonzero", "nonzero", "len":
		if !truth && !c.subject(inner) { // the sum of the ids themselves says nothing
			return c.each(inner, false, left)
		}
	case "all":
		if truth {
			return c.each(inner, true, left)
		}
	case "bool", "int", "item", "cpu", "tolist":
		return c.holds(inner, truth, left-1)
	}
	return 0
}

// counts reports whether an expression is 0, or false, where there are no ids at
// all, and only there: len(ids), ids.numel(), ids.size.
func (c condition) counts(n syntax.Node) bool {
	a := c.f.a
	switch a.tree.Kind(n) {
	case syntax.Attribute:
		return a.last(n) == "size" && c.subject(a.tree.First(n))
	case syntax.Call:
		fun := a.tree.First(n)
		switch a.last(fun) {
		case "numel", "nelement":
			if a.tree.Kind(fun) == syntax.Attribute && !a.isModule(a.tree.First(fun)) {
				return c.subject(a.tree.First(fun))
			}
			return c.subject(a.tree.Child(n, syntax.RoleArg))
		case "len":
			return c.subject(a.tree.Child(n, syntax.RoleArg))
		}
	}
	return false
}

// each judges a test of every id: of a generator its element.
func (c condition) each(n syntax.Node, truth bool, left int) bits {
	tree := c.f.a.tree
	switch tree.Kind(n) {
	case syntax.GeneratorExp, syntax.ListComp:
		for g := range tree.ChildrenOf(n, syntax.RoleIterate) {
			if tree.Child(g, syntax.RoleIf) != 0 {
				return c.filteredBy(n, truth, left)
			}
		}
		return c.holds(tree.Child(n, syntax.RoleElement), truth, left-1)
	}
	return c.holds(n, truth, left-1)
}

// filteredBy judges generators with a filter: only sum(1 for i in ids if bad).
func (c condition) filteredBy(n syntax.Node, truth bool, left int) bits {
	if k := c.f.a.tree.Child(n, syntax.RoleElement); truth || c.f.a.tree.Kind(k) != syntax.Constant {
		return 0
	}
	return c.filtered(n, left)
}

// filtered: no id passes the filter of a comprehension.
func (c condition) filtered(n syntax.Node, left int) bits {
	tree := c.f.a.tree
	out, one := bits(0), false
	for g := range tree.ChildrenOf(n, syntax.RoleIterate) {
		for t := range tree.ChildrenOf(g, syntax.RoleIf) {
			if one {
				return 0
			}
			out, one = c.holds(t, false, left-1), true
		}
	}
	return out
}

// compared judges a comparison: of a chain all pairs hold, or any one fails.
func (c condition) compared(n syntax.Node, truth bool, left int) bits {
	tree := c.f.a.tree
	x := tree.First(n)
	y := tree.Next(x)
	if y != 0 && tree.Next(y) != 0 && !truth {
		return 0
	}
	out := bits(0)
	for ; y != 0; x, y = y, tree.Next(y) {
		op := tree.CompareOp(y)
		if !truth {
			op = opposite[op]
		}
		out |= c.pair(x, op, y) | c.pair(y, mirrored[op], x)
		if tree.Kind(y) == syntax.Constant && string(tree.Source(y)) == "0" && (tree.Kind(x) == syntax.Call || tree.Kind(x) == syntax.Attribute) {
			switch op { // (ids >= n).sum() == 0
			case syntax.Eq, syntax.LtE:
				out |= c.holds(x, false, left-1)
			}
		}
	}
	return out
}

var opposite = map[syntax.Op]syntax.Op{
	syntax.Lt: syntax.GtE, syntax.LtE: syntax.Gt, syntax.Gt: syntax.LtE, syntax.GtE: syntax.Lt,
	syntax.Eq: syntax.NotEq, syntax.NotEq: syntax.Eq, syntax.In: syntax.NotIn, syntax.NotIn: syntax.In,
}

var mirrored = map[syntax.Op]syntax.Op{
	syntax.Lt: syntax.Gt, syntax.LtE: syntax.GtE, syntax.Gt: syntax.Lt, syntax.GtE: syntax.LtE,
	syntax.Eq: syntax.Eq, syntax.NotEq: syntax.NotEq,
}

// pair judges ids OP bound: their largest stands for all of them against an
// upper bound, their smallest against a lower one.
func (c condition) pair(x syntax.Node, op syntax.Op, bound syntax.Node) bits {
	a := c.f.a
	switch op {
	case syntax.Lt, syntax.LtE:
		if x = a.extreme(x, "max", "amax"); c.subject(x) && !a.notPositive(bound) {
			return upper
		}
	case syntax.Gt, syntax.GtE:
		if x = a.extreme(x, "min", "amin"); c.subject(x) && (a.notPositive(bound) || a.tree.Kind(bound) != syntax.Constant) {
			return lower
		}
	case syntax.In:
		if c.subject(x) {
			return both
		}
	}
	return 0
}

// subject reports whether an expression is the ids, or each of them.
func (c condition) subject(n syntax.Node) bool {
	return n != 0 && c.f.covers(n, c.key, c.at, c.hops)
}

// extreme takes max(x), x.max(), torch.max(x) off; what is none stays.
func (a *Analyzer) extreme(n syntax.Node, names ...string) syntax.Node {
	root, _, _ := a.base(n)
	if a.tree.Kind(root) != syntax.Call {
		return n
	}
	fun := a.tree.First(root)
	for _, name := range names {
		if a.last(fun) != name {
			continue
		}
		arg := a.tree.Child(root, syntax.RoleArg)
		if a.tree.Kind(fun) == syntax.Attribute && !a.isModule(a.tree.First(fun)) {
			return a.tree.First(fun)
		}
		if arg != 0 && a.tree.Next(arg) == 0 {
			return arg
		}
	}
	return n
}

// notPositive reports whether a bound is spelled out and at most 0.
func (a *Analyzer) notPositive(n syntax.Node) bool {
	switch a.tree.Kind(n) {
	case syntax.Constant:
		return string(a.tree.Source(n)) == "0"
	case syntax.UnaryOp:
		return a.tree.Op(n) == syntax.USub && a.tree.Kind(a.tree.First(n)) == syntax.Constant
	}
	return false
}
