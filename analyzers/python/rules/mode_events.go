package rules

import (
	"bytes"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// events are what happens to a model at the vertices of a function, in the
// order of the source within each.
func (m *modeFlow) events(u *modeUnit, key string, depth int) map[flow.Vertex][]modeEvent {
	g := u.flow()
	out := map[flow.Vertex][]modeEvent{}
	put := func(at syntax.Node, e modeEvent) {
		for v := range g.At(at) {
			out[v] = append(out[v], e)
		}
	}
	for _, c := range u.calls {
		switch _, ok := m.sets(u, c); {
		case endsProcess(u.tree, c):
			put(c, modeEvent{what: modeOther, node: c})
		case ok || isBackward(u.tree, c):
			m.direct(u, key, c, put)
		default:
			m.byCallee(u, key, c, depth, put)
		}
	}
	m.rebound(u, key, put)
	u.lastTurns(put)
	return out
}

// endsProcess reports whether a call does not come back: sys.exit(), os._exit().
func endsProcess(t *syntax.Tree, call syntax.Node) bool {
	fun := t.First(call)
	switch string(t.Name(fun)) { // fast path: nearly every call
	case "exit", "_exit", "quit", "abort":
	default:
		return false
	}
	switch chainOf(t, fun) {
	case "sys.exit", "os._exit", "exit", "quit", "os.abort":
		return true
	}
	return false
}

// direct are the events of one call by itself.
func (m *modeFlow) direct(u *modeUnit, key string, c syntax.Node, put func(syntax.Node, modeEvent)) {
	t := u.tree
	if isBackward(t, c) {
		if m.ofAnother(u, key) || m.lossOfAnother(u, key, c) || m.stepsAnother(u, key, c) {
			return
		}
		put(c, modeEvent{what: modeTrained, node: c, inner: c, file: u.fn.File})
		return
	}
	off, ok := m.sets(u, c)
	if !ok {
		return
	}
	keys, loop := modelKeys(t, t.First(t.First(c)))
	for _, k := range keys {
		if !off && m.standsFor(u, k, key) {
			k = key
		}
		if !covers(k, key) && (off || !covers(strings.TrimSuffix(key, "[]"), k)) {
			continue // training mode of one of several: somebody chooses by hand
		}
		at := c
		if loop != 0 && t.Kind(loop) == syntax.For {
			at = loop // for all of them at once: the loop over models is not left out
		}
		if !off {
			put(at, modeEvent{what: modeOn, node: c, inner: c, file: u.fn.File, whole: k == key || k == "self"})
			m.chosen(u, c, put)
			if all := m.turnsOn(u, c); all != 0 {
				put(all, modeEvent{what: modeOn, node: c, inner: c, file: u.fn.File})
			}
			continue
		}
		if !m.hasOtherArm(u, key, c) {
			put(at, modeEvent{what: modeOff, node: c, inner: c, file: u.fn.File})
		}
	}
}

// ofAnother reports whether what a function trains is another model: it sets
// the mode of others and does not speak of this one.
func (m *modeFlow) ofAnother(u *modeUnit, key string) bool {
	others := false
	for _, c := range u.calls {
		if _, ok := m.sets(u, c); !ok {
			continue
		}
		keys, _ := modelKeys(u.tree, u.tree.First(u.tree.First(c)))
		for _, k := range keys {
			if covers(k, key) || covers(key, k) {
				return false
			}
			others = true
		}
	}
	return others && !bytes.Contains(u.tree.Source(u.fn.Def), []byte(strings.TrimSuffix(key, "[]")))
}

// withoutGradients reports whether a node stands in a with that switches
// gradients off.
func withoutGradients(t *syntax.Tree, n syntax.Node) bool {
	for p := range t.Ancestors(n) {
		switch k := t.Kind(p); {
		case k == syntax.With:
			for item := range t.ChildrenOf(p, syntax.RoleItem) {
				ctx := t.Child(item, syntax.RoleContext)
				if t.Kind(ctx) == syntax.Call {
					ctx = t.First(ctx)
				}
				if name := string(t.Name(ctx)); name == "no_grad" || name == "inference_mode" {
					return true
				}
			}
		case k.IsFunction():
			return false
		}
	}
	return false
}

// chosen puts the switch to training mode at the if that it stands under, where
// that condition is about the mode, or is the one under which it was left.
func (m *modeFlow) chosen(u *modeUnit, on syntax.Node, put func(syntax.Node, modeEvent)) {
	t := u.tree
	for p := range t.Ancestors(on) {
		switch k := t.Kind(p); {
		case k.IsFunction():
			return
		case k == syntax.If:
			test := t.Child(p, syntax.RoleTest)
			if strings.Contains(strings.ToLower(string(t.Source(test))), "train") || m.sameTest(u, on, test) || m.switchesBoth(u, p) {
				put(p, modeEvent{what: modeOn, node: on, inner: on, file: u.fn.File})
			}
		}
	}
}

// turnsOn is the loop that switches training mode on in each turn, and neither
// trains nor evaluates itself: over what an evaluation gave, it is not left out.
func (m *modeFlow) turnsOn(u *modeUnit, on syntax.Node) syntax.Node {
	t := u.tree
	loop := t.Parent(statement(t, on))
	if t.Kind(loop) != syntax.For {
		return 0
	}
	for _, c := range u.calls {
		off, ok := m.sets(u, c)
		if !(ok && off || isBackward(t, c)) {
			continue
		}
		for p := range t.Ancestors(c) {
			if p == loop {
				return 0
			}
		}
	}
	return loop
}

// sameTest reports whether an eval() of the function stands under the same
// condition.
func (m *modeFlow) sameTest(u *modeUnit, on, test syntax.Node) bool {
	t := u.tree
	src := string(t.Source(test))
	for _, c := range u.calls {
		if off, ok := m.sets(u, c); !ok || !off {
			continue
		}
		for p := range t.Ancestors(c) {
			if t.Kind(p) == syntax.If && p != t.Parent(test) && string(t.Source(t.Child(p, syntax.RoleTest))) == src {
				return true
			}
		}
	}
	return false
}

// switchesBoth reports whether both arms of an if set a mode.
func (m *modeFlow) switchesBoth(u *modeUnit, n syntax.Node) bool {
	t := u.tree
	var on, off [2]bool
	for _, c := range u.calls {
		isOff, ok := m.sets(u, c)
		if !ok {
			continue
		}
		for child, p := c, t.Parent(c); p != 0; child, p = p, t.Parent(p) {
			if p == n {
				arm := 0
				if t.Role(child) == syntax.RoleOrElse {
					arm = 1
				}
				on[arm], off[arm] = on[arm] || !isOff, off[arm] || isOff
			}
		}
	}
	return on[0] && off[1] || on[1] && off[0]
}

// hasOtherArm reports whether the mode is chosen by a flag: the other arm of an
// if around this eval() switches training on.
func (m *modeFlow) hasOtherArm(u *modeUnit, key string, off syntax.Node) bool {
	t := u.tree
	for _, c := range u.calls {
		isOff, ok := m.sets(u, c)
		if !ok || isOff || !flow.Exclusive(t, c, off) {
			continue
		}
		keys, _ := modelKeys(t, t.First(t.First(c)))
		for _, k := range keys {
			if covers(k, key) {
				return true
			}
		}
	}
	return false
}

// byCallee are the events of what a call calls.
func (m *modeFlow) byCallee(u *modeUnit, key string, c syntax.Node, depth int, put func(syntax.Node, modeEvent)) {
	if depth == 0 {
		return
	}
	fn := m.callee(u.fn.File, c)
	if fn.Def == 0 {
		if m.trainsByName(u, key, c) {
			put(c, modeEvent{what: modeOn, node: c, inner: c, file: u.fn.File, guess: true})
		}
		return
	}
	for _, k := range m.inward(u, c, fn, key) {
		s := m.summary(m.unit(fn), k, depth-1)
		if s.trainsFirst != 0 && !withoutGradients(u.tree, c) && !(s.trainsIn == fn.File && askedNotTo(u, c, fn, s.trainsFirst)) {
			put(c, modeEvent{what: modeTrained, node: c, inner: s.trainsFirst, file: s.trainsIn})
		}
		if s.switchesOn {
			put(c, modeEvent{what: modeOn, node: c, inner: c, file: u.fn.File, whole: s.whole})
			m.chosen(u, c, put)
		}
		if s.leavesEval != 0 && !m.restores(fn) && !u.standsUnder(c, s.onUnder) {
			put(c, modeEvent{what: modeOff, node: c, inner: s.leavesEval, file: s.in})
		}
	}
}

// trainsByName reports whether a call that is not resolved is called a training
// function and gets the model.
func (m *modeFlow) trainsByName(u *modeUnit, key string, c syntax.Node) bool {
	t := u.tree
	name := strings.ToLower(string(t.Name(t.First(c))))
	if !strings.Contains(name, "train") && !strings.HasSuffix(name, "_mode") {
		return false
	}
	for a := range t.Children(c) {
		if t.Role(a) == syntax.RoleFunc && t.Kind(a) == syntax.Attribute {
			a = t.First(a)
		} else if t.Role(a) == syntax.RoleKeyword {
			a = t.Child(a, syntax.RoleValue)
		} else if t.Role(a) != syntax.RoleArg {
			continue
		}
		keys, _ := modelKeys(t, a)
		for _, k := range keys {
			if covers(k, key) {
				return true
			}
		}
	}
	return false
}

// restores reports whether a decorator of a function may set the mode back.
func (m *modeFlow) restores(fn calls.Func) bool {
	t := fn.File.Syntax
	for d := range t.ChildrenOf(fn.Def, syntax.RoleDecorate) {
		if t.Kind(d) == syntax.Call {
			d = t.First(d)
		}
		if !named("plain-decorator", string(t.Name(d))) {
			return true
		}
	}
	return false
}

// rebound are the places where the name of a model is given another one.
func (m *modeFlow) rebound(u *modeUnit, key string, put func(syntax.Node, modeEvent)) {
	head, _ := cutKey(key)
	for b := range u.fn.File.Names.Bindings(u.fn.Def, []byte(head)) {
		if b.Target != 0 && !b.Attr && u.tree.Kind(b.Target) == syntax.Name && !u.keeps(b.Value, head) {
			put(b.Target, modeEvent{what: modeOther, node: b.Target})
		}
	}
	if _, attr, ok := strings.Cut(key, "."); ok && !strings.ContainsAny(attr, ".[") {
		if class := u.fn.File.Names.Class(u.tree.Child(u.fn.Def, syntax.RoleBody)); class != 0 {
			for b := range u.fn.File.Names.Bindings(class, []byte(attr)) {
				if b.Attr && b.Target != 0 && !u.keeps(b.Value, attr) {
					put(b.Target, modeEvent{what: modeOther, node: b.Target})
				}
			}
		}
	}
}

// keeps reports whether a value is still the same model: model = model.to(d),
// model = wrap(model).
func (u *modeUnit) keeps(value syntax.Node, name string) bool {
	if value == 0 {
		return false
	}
	for n := range u.tree.Preorder(value) {
		if k := u.tree.Kind(n); (k == syntax.Name || k == syntax.Attribute) && string(u.tree.Name(n)) == name {
			return true
		}
	}
	return false
}
