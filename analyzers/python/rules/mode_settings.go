package rules

import (
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// testsOfOn are the tests about the object itself under which a method switches
// a model back to training mode, itself or by what it calls: the setting for
// which the caller asked before it called.
func (m *modeFlow) testsOfOn(u *modeUnit, key string, depth int) []string {
	if depth == 0 {
		return nil
	}
	var out []string
	for _, c := range u.calls {
		if off, ok := m.sets(u, c); ok {
			keys, _ := modelKeys(u.tree, u.tree.First(u.tree.First(c)))
			if !off && slices.Contains(keys, key) {
				out = append(out, u.testsAround(c)...)
			}
			continue
		}
		fun := u.tree.First(c)
		if u.tree.Kind(fun) != syntax.Attribute || !u.fn.File.Names.IsSelf(u.tree.First(fun)) {
			continue
		}
		if fn := m.callee(u.fn.File, c); fn.Def != 0 && fn.Method {
			for _, k := range m.inward(u, c, fn, key) {
				out = append(out, m.summary(m.unit(fn), k, depth-1).onUnder...)
			}
		}
	}
	return out
}

// standsUnder reports whether a call of a method of the same object stands under
// one of these tests.
func (u *modeUnit) standsUnder(call syntax.Node, tests []string) bool {
	fun := u.tree.First(call)
	if len(tests) == 0 || u.tree.Kind(fun) != syntax.Attribute || !u.fn.File.Names.IsSelf(u.tree.First(fun)) {
		return false
	}
	return slices.ContainsFunc(u.testsAround(call), func(t string) bool { return slices.Contains(tests, t) })
}

// testsAround are the tests of self that hold where a node stands, each part of
// an and for itself.
func (u *modeUnit) testsAround(n syntax.Node) []string {
	t := u.tree
	var out []string
	for p, holds := range conditions(t, n) {
		if !holds {
			continue
		}
		test := t.Child(p, syntax.RoleTest)
		parts := []syntax.Node{test}
		if t.Kind(test) == syntax.BoolOp && t.Op(test) == syntax.And {
			parts = slices.Collect(t.Children(test))
		}
		for _, part := range parts {
			if text := string(t.Source(part)); t.Kind(part) == syntax.Compare && strings.HasPrefix(text, "self.") {
				out = append(out, text)
			}
		}
	}
	return out
}
