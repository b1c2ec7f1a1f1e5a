package rules

import (
	"slices"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// standsFor reports whether a name of a function is bound to a model that it
// knows by another one, or to what wraps that model: wrapped = model.to(device),
// wrapped = DataParallel(model). What trains the one trains the other.
func (m *modeFlow) standsFor(u *modeUnit, name, key string) bool {
	if name == key {
		return false
	}
	for b := range u.fn.File.Names.Bindings(u.fn.Def, []byte(name)) {
		if b.How != names.Assign || b.Attr || b.Part != names.Whole {
			continue
		}
		if u.wraps(b.Value, name, key) {
			return true
		}
	}
	return false
}

// wraps reports whether a value is a model or a call whose first argument it is.
func (u *modeUnit) wraps(value syntax.Node, name, key string) bool {
	t := u.tree
	if keys, _ := modelKeys(t, value); len(keys) == 1 && keys[0] != name {
		return keys[0] == key
	}
	if t.Kind(value) != syntax.Call {
		return false
	}
	keys, _ := modelKeys(t, t.Child(value, syntax.RoleArg))
	return len(keys) == 1 && keys[0] == key
}

// meant reports whether a model is put into evaluation mode for what is trained
// on next: all that it gives behind eval(), in the same block, goes into the
// loss. A frozen part of a network is used so, whose own training mode comes
// back before it trains. What is only looked at is an evaluation.
func (m *modeFlow) meant(u *modeUnit, key string, off, backward syntax.Node) bool {
	t := u.tree
	first, last := statement(t, off), statement(t, backward)
	if first == last || t.Parent(first) != t.Parent(last) {
		return false
	}
	var between []syntax.Node
	for s := t.Next(first); s != last; s = t.Next(s) {
		if s == 0 {
			return false
		}
		between = append(between, s)
	}
	needed, runs := map[string]bool{}, false
	addNames(t, last, needed)
	for _, s := range slices.Backward(between) {
		goesIn := t.Kind(s) == syntax.Assign && mentions(t, t.Child(s, syntax.RoleTarget), needed)
		if callsModel(t, s, key) {
			if !goesIn {
				return false
			}
			runs = true
		}
		if goesIn {
			addNames(t, t.Child(s, syntax.RoleValue), needed)
		}
	}
	return runs
}

// freezes reports whether a model that is put into evaluation mode is frozen
// under the same condition: what is trained from there on is another one.
func (u *modeUnit) freezes(key string, off syntax.Node) bool {
	t := u.tree
	for s := statement(t, off); s != 0 && !t.Kind(s).IsFunction(); s = t.Parent(s) {
		for n := t.First(t.Parent(s)); n != 0; n = t.Next(n) {
			if t.Role(n) == t.Role(s) && t.Kind(n) == syntax.ExprStmt && u.isFreeze(t.First(n), key) {
				return true
			}
		}
		if t.Kind(t.Parent(s)) != syntax.If {
			break
		}
	}
	return false
}

// isFreeze reports whether an expression is model.requires_grad_(False).
func (u *modeUnit) isFreeze(n syntax.Node, key string) bool {
	t := u.tree
	if t.Kind(n) != syntax.Call || string(t.Name(t.First(n))) != "requires_grad_" || t.Op(t.Child(n, syntax.RoleArg)) != syntax.False {
		return false
	}
	keys, _ := modelKeys(t, t.First(t.First(n)))
	return slices.Contains(keys, key)
}

func addNames(t *syntax.Tree, n syntax.Node, into map[string]bool) {
	for c := range t.Preorder(n) {
		if t.Kind(c) == syntax.Name {
			into[string(t.Name(c))] = true
		}
	}
}

// statement is the statement that an expression stands in.
func statement(t *syntax.Tree, n syntax.Node) syntax.Node {
	for n != 0 && !t.Kind(n).IsStatement() {
		n = t.Parent(n)
	}
	return n
}

// callsModel reports whether an expression runs a model forwards.
func callsModel(t *syntax.Tree, value syntax.Node, key string) bool {
	for n := range t.Preorder(value) {
		if t.Kind(n) != syntax.Call {
			continue
		}
		fun := t.First(n)
		if t.Kind(fun) == syntax.Attribute && string(t.Name(fun)) == "forward" {
			fun = t.First(fun)
		}
		if chainOf(t, fun) == key {
			return true
		}
	}
	return false
}

// mentions reports whether one of these names stands in a node.
func mentions(t *syntax.Tree, n syntax.Node, named map[string]bool) bool {
	for c := range t.Preorder(n) {
		if t.Kind(c) == syntax.Name && named[string(t.Name(c))] {
			return true
		}
	}
	return false
}
