package rules

import (
	"slices"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// lossOfAnother reports whether a backward computes gradients of other models
// of its function: what its loss is made of, within the innermost loop, names
// one of those and not this one.
func (m *modeFlow) lossOfAnother(u *modeUnit, key string, backward syntax.Node) bool {
	if head, rest := cutKey(key); head != key || rest != "" {
		return false // what an object holds may come in by a method
	}
	needed := u.madeOf(backward)
	if needed[key] {
		return false
	}
	others := false
	for name := range needed {
		if m.standsFor(u, name, key) || m.standsFor(u, key, name) {
			return false
		}
		others = others || slices.Contains(u.keys, name)
	}
	return others
}

// madeOf are the names that go into an expression by the statements before it,
// as far back as the innermost loop around it.
func (u *modeUnit) madeOf(n syntax.Node) map[string]bool {
	t := u.tree
	needed := map[string]bool{}
	addNames(t, n, needed)
	for at := statement(t, n); at != 0; at = t.Parent(at) {
		if k := t.Kind(at); k == syntax.For || k == syntax.While || k.IsFunction() {
			break
		}
		var before []syntax.Node
		for s := t.First(t.Parent(at)); s != 0 && s != at; s = t.Next(s) {
			if t.Kind(s).IsStatement() && t.Role(s) == t.Role(at) {
				before = append(before, s)
			}
		}
		for _, s := range slices.Backward(before) {
			u.goesInto(s, needed)
		}
	}
	return needed
}

// goesInto adds what the assignments of a statement make needed names of, the
// last first.
func (u *modeUnit) goesInto(s syntax.Node, needed map[string]bool) {
	t := u.tree
	var list []syntax.Node
	t.Walk(s, func(n syntax.Node) syntax.Walk {
		switch k := t.Kind(n); {
		case k.IsFunction(), k == syntax.ClassDef, k == syntax.Lambda:
			return syntax.Over
		case k == syntax.Assign, k == syntax.AugAssign, k == syntax.AnnAssign, k == syntax.For, k == syntax.NamedExpr:
			list = append(list, n)
		}
		return syntax.Into
	})
	for _, n := range slices.Backward(list) {
		if t.Kind(n) == syntax.For {
			if mentions(t, t.Child(n, syntax.RoleTarget), needed) {
				addNames(t, t.Child(n, syntax.RoleIter), needed)
			}
			continue
		}
		for target := range t.ChildrenOf(n, syntax.RoleTarget) {
			if mentions(t, target, needed) {
				addNames(t, t.Child(n, syntax.RoleValue), needed)
			}
		}
	}
}

// stepsAnother reports whether what steps behind a backward is an optimizer of
// other models, where this one has its own: a generator's loss goes through the
// discriminator, and gives it gradients that nobody uses.
func (m *modeFlow) stepsAnother(u *modeUnit, key string, backward syntax.Node) bool {
	f := m.f
	if u.fn.File != f.View {
		return false
	}
	own := m.ownOptimizers(u, key)
	if len(own) == 0 {
		return false
	}
	for _, s := range f.stepCalls() {
		if f.Function(s.call) != u.fn.Def || f.Start(s.call) < f.Start(backward) {
			continue
		}
		made := f.lastMade(s.optimizer, s.call)
		return made != 0 && !own[made]
	}
	return false
}

// ownOptimizers are the bindings of a function that make an optimizer of a
// model's parameters: of them themselves, or of a list that they were put in.
func (m *modeFlow) ownOptimizers(u *modeUnit, key string) map[syntax.Node]bool {
	f := m.f
	out := map[syntax.Node]bool{}
	for call := range f.CallsOf("parameters") {
		if f.Function(call) != u.fn.Def {
			continue
		}
		keys, _ := modelKeys(f.Tree, f.First(f.First(call)))
		for _, k := range keys {
			if covers(key, k) || m.sameModel(u, k, key) {
				f.optimizersOf(call, out, 2)
			}
		}
	}
	return out
}

// sameModel reports whether two names are of one model, or one of a part of the
// other.
func (m *modeFlow) sameModel(u *modeUnit, a, b string) bool {
	if m.standsFor(u, a, b) || m.standsFor(u, b, a) {
		return true
	}
	for v := range u.fn.File.Names.Bindings(u.fn.Def, []byte(a)) {
		if v.How == names.Assign && !v.Attr && covers(b, chainOf(u.tree, v.Value)) {
			return true
		}
	}
	return false
}

// optimizersOf adds the statements that make an optimizer of what stands at a
// node: at once, or of the list that it is bound to.
func (f *File) optimizersOf(n syntax.Node, into map[syntax.Node]bool, hops int) {
	s := statement(f.Tree, n)
	if hops == 0 || f.Kind(s) != syntax.Assign {
		return
	}
	target := f.Child(s, syntax.RoleTarget)
	if k := f.Kind(target); k == syntax.Tuple || k == syntax.List {
		target = f.First(target)
	}
	if f.isOptimizer(target) {
		into[s] = true // by name it may be the list still: params_to_optimize
	}
	if f.Kind(target) != syntax.Name {
		return
	}
	for use := range f.Preorder(f.Function(n)) {
		if f.Kind(use) == syntax.Name && f.Context(use) == syntax.Load && string(f.Name(use)) == string(f.Name(target)) {
			f.optimizersOf(use, into, hops-1)
		}
	}
}

// lastMade is the last assignment before a node that binds an optimizer by name
// in the same function, but for those that only wrap it; 0: it comes from
// elsewhere.
func (f *File) lastMade(optimizer, before syntax.Node) syntax.Node {
	if f.Kind(optimizer) != syntax.Name {
		return 0
	}
	last := syntax.Node(0)
	for b := range f.Names.Bindings(f.Function(before), f.Name(optimizer)) {
		if b.How == names.Assign && b.Target != 0 && f.Start(b.Target) < f.Start(before) && !f.speaksOf(b.Value, string(f.Name(optimizer))) {
			last = statement(f.Tree, b.Target)
		}
	}
	return last
}
