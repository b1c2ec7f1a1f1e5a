package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// lastTurns are the places behind which the loop around a loop ends as well:
// stop = True; break, and behind the inner loop: if stop: break. What the flag
// says is not followed by paths, and no next turn trains.
func (u *modeUnit) lastTurns(put func(syntax.Node, modeEvent)) {
	t := u.tree
	for n := range t.Preorder(u.fn.Def) {
		if t.Kind(n) != syntax.Break {
			continue
		}
		for s := t.First(t.Parent(n)); s != 0 && s != n; s = t.Next(s) {
			if flag := flagSet(t, s); flag != 0 && t.Role(s) == t.Role(n) && endsBy(t, n, string(t.Name(flag))) {
				put(flag, modeEvent{what: modeOther, node: flag})
			}
		}
	}
}

// flagSet is the name that a statement sets to True; 0: none.
func flagSet(t *syntax.Tree, s syntax.Node) syntax.Node {
	if t.Kind(s) != syntax.Assign || t.Op(t.Child(s, syntax.RoleValue)) != syntax.True {
		return 0
	}
	if target := t.Child(s, syntax.RoleTarget); t.Kind(target) == syntax.Name {
		return target
	}
	return 0
}

// endsBy reports whether the loop that a break leaves is followed by a test of a
// flag alone, under which the loop around it or the function ends.
func endsBy(t *syntax.Tree, brk syntax.Node, flag string) bool {
	loop := t.Parent(brk)
	for k := t.Kind(loop); loop != 0 && k != syntax.For && k != syntax.While; k = t.Kind(loop) {
		loop = t.Parent(loop)
	}
	next := t.Next(loop)
	if loop == 0 || t.Kind(next) != syntax.If || string(t.Source(t.Child(next, syntax.RoleTest))) != flag {
		return false
	}
	for s := range t.ChildrenOf(next, syntax.RoleBody) {
		if k := t.Kind(s); k == syntax.Break || k == syntax.Return {
			return true
		}
	}
	return false
}
