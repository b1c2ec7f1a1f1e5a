package flow

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// Unconditional reports whether a node is evaluated, once, whenever its
// statement is: it stands in no operand that is left out when another decides,
// in no comprehension and no lambda. What a comprehension goes over first is.
func (g *Graph) Unconditional(n syntax.Node) bool {
	for p := g.tree.Parent(n); p != 0 && g.holder(n) != n; n, p = p, g.tree.Parent(p) {
		switch g.tree.Kind(p) {
		case syntax.BoolOp:
			if g.tree.First(p) != n {
				return false
			}
		case syntax.Compare: // a < b < c leaves c out
			if f := g.tree.First(p); f != n && g.tree.Next(f) != n {
				return false
			}
		case syntax.IfExp:
			if g.tree.Role(n) != syntax.RoleTest {
				return false
			}
		case syntax.Assert:
			if g.tree.Role(n) == syntax.RoleMessage {
				return false
			}
		case syntax.Lambda:
			if g.tree.Role(n) == syntax.RoleBody {
				return false
			}
		case syntax.ListComp, syntax.SetComp, syntax.DictComp, syntax.GeneratorExp:
			if g.tree.Role(n) != syntax.RoleIterate || g.tree.Child(p, syntax.RoleIterate) != n {
				return false
			}
		case syntax.Comprehension:
			if g.tree.Role(n) != syntax.RoleIter {
				return false
			}
		}
	}
	return true
}

// Loop is the innermost loop whose body a node stands in, within the function;
// 0: none.
func (g *Graph) Loop(n syntax.Node) syntax.Node {
	for p := g.tree.Parent(n); p != 0 && p != g.fn; n, p = p, g.tree.Parent(p) {
		switch g.tree.Kind(p) {
		case syntax.For, syntax.AsyncFor, syntax.While:
			if r := g.tree.Role(n); r == syntax.RoleBody || r == syntax.RoleTest {
				return p
			}
		}
	}
	return 0
}

// Exclusive reports whether two nodes stand on branches of which one pass takes
// at most one: the arms of an if or of a conditional expression, the cases of a
// match, two handlers of a try.
func Exclusive(tree *syntax.Tree, a, b syntax.Node) bool {
	p, a, b := meeting(tree, a, b)
	if p == 0 || a == b {
		return false
	}
	ra, rb := tree.Role(a), tree.Role(b)
	switch tree.Kind(p) {
	case syntax.If, syntax.IfExp:
		return ra == syntax.RoleBody && rb == syntax.RoleOrElse || ra == syntax.RoleOrElse && rb == syntax.RoleBody
	case syntax.Match:
		return ra == syntax.RoleCase && rb == syntax.RoleCase
	case syntax.Try:
		return ra == syntax.RoleHandler && (rb == syntax.RoleHandler || rb == syntax.RoleOrElse) ||
			ra == syntax.RoleOrElse && rb == syntax.RoleHandler
	}
	return false
}

// meeting finds the innermost node around two, and the children of it that
// hold them.
func meeting(tree *syntax.Tree, a, b syntax.Node) (top, childA, childB syntax.Node) {
	da, db := depth(tree, a), depth(tree, b)
	for ; da > db; da-- {
		a = tree.Parent(a)
	}
	for ; db > da; db-- {
		b = tree.Parent(b)
	}
	if a == b {
		return 0, a, b // one holds the other
	}
	for tree.Parent(a) != tree.Parent(b) {
		a, b = tree.Parent(a), tree.Parent(b)
	}
	return tree.Parent(a), a, b
}

func depth(tree *syntax.Tree, n syntax.Node) int {
	d := 0
	for range tree.Ancestors(n) {
		d++
	}
	return d
}
