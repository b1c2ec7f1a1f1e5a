package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// modeEvents are the events of a function by vertex.
type modeEvents map[flow.Vertex][]modeEvent

// summary says what a call of a function does to a model that it knows by a
// key.
func (m *modeFlow) summary(u *modeUnit, key string, depth int) *modeSummary {
	if s := u.known[key]; s != nil {
		return s
	}
	s := &modeSummary{in: u.fn.File}
	u.known[key] = s // of itself a function says nothing
	if u.flow().Cut() {
		return s
	}
	ev := m.events(u, key, depth)
	if e := m.reach(u, ev, flow.Entry, 0, nil, modeTrained); e != nil {
		s.trainsFirst, s.trainsIn = e.inner, e.file
	}
	s.switchesOn = true
	for v, list := range ev {
		for i := range list {
			switch e := &list[i]; e.what {
			case modeOn:
				s.everOn, s.whole = true, s.whole || e.whole
			case modeOff:
				if s.leavesEval == 0 && m.ends(u, ev, v, i+1) {
					s.leavesEval, s.in = e.inner, e.file
				}
			}
		}
	}
	s.switchesOn = s.everOn && s.leavesEval == 0 && !m.ends(u, ev, flow.Entry, 0)
	if s.leavesEval != 0 || !s.switchesOn {
		s.onUnder = m.testsOfOn(u, key, depth)
	}
	return s
}

// reach finds the first event of a kind behind place i of a vertex, on paths on
// which the mode is not switched on nor the name given to something else.
func (m *modeFlow) reach(u *modeUnit, ev modeEvents, from flow.Vertex, i int, not func(*modeEvent) bool, what modeChange) (found *modeEvent) {
	m.paths(u, ev, from, i, func(e *modeEvent) bool {
		if e.what == what && (not == nil || !not(e)) {
			if found == nil || e.node < found.node {
				found = e
			}
		}
		return e.what == modeOn || e.what == modeOther
	}, nil)
	return found
}

// ends reports whether the end of the function is reached from there without
// training mode being switched on.
func (m *modeFlow) ends(u *modeUnit, ev modeEvents, from flow.Vertex, i int) (end bool) {
	m.paths(u, ev, from, i, func(e *modeEvent) bool { return e.what == modeOn || e.what == modeOther }, func() { end = true })
	return end
}

// paths goes along all paths behind place i of a vertex, but for those of
// exceptions, and past each event of which stop says so.
func (m *modeFlow) paths(u *modeUnit, ev modeEvents, from flow.Vertex, i int, stop func(*modeEvent) bool, exit func()) {
	g := u.flow()
	seen := make([]bool, g.Len())
	type place struct {
		v flow.Vertex
		i int
	}
	stack := []place{{from, i}}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		list, stopped := ev[p.v], false
		for ; p.i < len(list) && !stopped; p.i++ {
			stopped = stop(&list[p.i])
		}
		if stopped {
			continue
		}
		if p.v == flow.Exit && exit != nil {
			exit()
		}
		for e := range g.Out(p.v) {
			if e.Kind != flow.Exception && !seen[e.Vertex] {
				seen[e.Vertex] = true
				stack = append(stack, place{e.Vertex, 0})
			}
		}
	}
}

// modeLeak is a model that is trained in evaluation mode.
type modeLeak struct {
	key      string
	off      modeEvent
	backward modeEvent
	on       syntax.Node // where the function switches training on, 0: nowhere
	loop     syntax.Node // around both
}

// leaks finds where a function trains a model that it has left in evaluation
// mode.
func (m *modeFlow) leaks(u *modeUnit) []modeLeak {
	var out []modeLeak
	for _, key := range m.keysOf(u, modeDepth) {
		ev := modeEvents(m.events(u, key, modeDepth))
		if u.flow().Cut() {
			return nil
		}
		for v, list := range ev {
			for i := range list {
				if e := list[i]; e.what == modeOff {
					if l, ok := m.leak(u, ev, key, v, i); ok {
						out = append(out, l)
					}
				}
			}
		}
	}
	return out
}

func (m *modeFlow) leak(u *modeUnit, ev modeEvents, key string, v flow.Vertex, i int) (modeLeak, bool) {
	off := ev[v][i]
	l, whole := modeLeak{key: key, off: off}, false
	for _, list := range ev {
		for _, e := range list {
			if e.what == modeOn && !e.guess && (l.on == 0 || e.node < l.on) {
				l.on = e.node
			}
			whole = whole || e.what == modeOn && e.whole
		}
	}
	hit := m.reach(u, ev, v, i+1, func(e *modeEvent) bool {
		// Before a loop an eval() may be meant so; an evaluation that leaves the
		// model behind is not.
		if commonLoop(u, off.node, e.node) == 0 && (off.inner == off.node || u.flow().Loop(e.node) == 0) {
			return true
		}
		return m.contradict(u, off.node, e.node) || e.node == off.node
	}, modeTrained)
	// What is switched off within a model that trains is meant so: a frozen part.
	if hit == nil || !whole && (!m.optimized(u, key) || m.partOfSeveral(u, key)) || off.inner == off.node && (m.meant(u, key, off.node, hit.node) || u.freezes(key, off.node)) || m.modeless(u, key) {
		return l, false
	}
	l.backward, l.loop = *hit, commonLoop(u, off.node, hit.node)
	return l, true
}

// commonLoop is the innermost loop around two nodes of a function; 0: none.
func commonLoop(u *modeUnit, a, b syntax.Node) syntax.Node {
	for l := u.flow().Loop(a); l != 0; l = u.flow().Loop(l) {
		for p := range u.tree.Ancestors(b) {
			if p == l {
				return l
			}
		}
	}
	return 0
}

// contradict reports whether two nodes stand under conditions of which only one
// holds: if train, else; phase == "train", phase == "val".
func (m *modeFlow) contradict(u *modeUnit, a, b syntax.Node) bool {
	t := u.tree
	for p, arm := range conditions(t, a) {
		for q, other := range conditions(t, b) {
			x, y := t.Child(p, syntax.RoleTest), t.Child(q, syntax.RoleTest)
			if string(t.Source(x)) == string(t.Source(y)) {
				if arm != other {
					return true
				}
				continue
			}
			if arm && other && t.Kind(x) == syntax.Compare && t.Kind(y) == syntax.Compare && sameButLast(t, x, y) {
				return true
			}
			if arm == other && (negates(t, x, y) || negates(t, y, x)) {
				return true
			}
		}
	}
	return false
}

// conditions are the ifs around a node, and in which arm it stands.
func conditions(t *syntax.Tree, n syntax.Node) func(func(syntax.Node, bool) bool) {
	return func(yield func(syntax.Node, bool) bool) {
		for p := t.Parent(n); p != 0; n, p = p, t.Parent(p) {
			k := t.Kind(p)
			if k.IsFunction() {
				return
			}
			if k == syntax.If && t.Role(n) != syntax.RoleTest && !yield(p, t.Role(n) == syntax.RoleBody) {
				return
			}
		}
	}
}

// sameButLast reports whether two comparisons ask whether one thing equals two.
func sameButLast(t *syntax.Tree, x, y syntax.Node) bool {
	a, b := t.Child(x, syntax.RoleRight), t.Child(y, syntax.RoleRight)
	return t.CompareOp(a) == syntax.Eq && t.CompareOp(b) == syntax.Eq &&
		string(t.Source(t.First(x))) == string(t.Source(t.First(y))) &&
		t.Kind(a) == syntax.Constant && t.Kind(b) == syntax.Constant
}

func negates(t *syntax.Tree, x, y syntax.Node) bool {
	return t.Kind(x) == syntax.UnaryOp && t.Op(x) == syntax.Not && string(t.Source(t.First(x))) == string(t.Source(y))
}

// partOfSeveral reports whether a model is held by an object of which another
// part has an optimizer too, as the two of an adversarial training: which of
// them a backward is for is not seen.
func (m *modeFlow) partOfSeveral(u *modeUnit, key string) bool {
	t := m.f
	i := strings.LastIndexByte(key, '.')
	if i < 0 || key[:i] == firstParam(u.tree, u.fn.Def) {
		return false
	}
	for call := range t.CallsOf("parameters") {
		part := chainOf(t.Tree, t.First(t.First(call)))
		if part != key && strings.HasPrefix(part, key[:i+1]) {
			return true
		}
	}
	return false
}

// optimized reports whether the parameters of a model are handed to an
// optimizer in the file.
func (m *modeFlow) optimized(u *modeUnit, key string) bool {
	t := m.f
	if u.fn.File != m.f.View {
		return false
	}
	for call := range t.CallsOf("parameters") {
		keys, _ := modelKeys(t.Tree, t.First(t.First(call)))
		if len(keys) != 1 || keys[0] != key {
			continue
		}
		for p := range t.Ancestors(call) {
			if t.Kind(p) == syntax.Call && named("optimizer-call", t.Last(t.First(p))) {
				return true
			}
		}
	}
	return false
}
