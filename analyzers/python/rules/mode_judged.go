package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// judgedInTraining finds where a model that a loop judges was put into training
// mode last: in the function of the loop, or, where that sets no mode at all,
// in one that calls it. 0: nowhere in this file, or not on every account.
func (m *modeFlow) judgedInTraining(l evalLoop, call syntax.Node) (on, through syntax.Node) {
	f := m.f
	key := chainOf(f.Tree, f.First(call))
	u := m.unit(calls.Func{File: f.View, Def: l.def})
	if m.setsMode(u, key) {
		return m.trainingReaches(u, key, call), 0
	}
	if !f.Kind(l.def).IsFunction() || f.speaksOfMode(l.def) {
		return 0, 0
	}
	fn := calls.Func{File: f.View, Def: l.def}
	for _, at := range f.Calls.Callers(l.def) {
		if f.Kind(at) != syntax.Call {
			continue
		}
		caller := m.unit(calls.Func{File: f.View, Def: f.Function(at)})
		if outer := m.outward(caller, at, fn, key); outer != "" {
			if on := m.trainingReaches(caller, outer, at); on != 0 {
				return on, at
			}
		}
	}
	return 0, 0
}

// modelessAt reports whether the model that a loop judges is seen to give the
// same in either mode.
func (m *modeFlow) modelessAt(l evalLoop, call syntax.Node) bool {
	return m.modeless(m.unit(calls.Func{File: m.f.View, Def: l.def}), chainOf(m.f.Tree, m.f.First(call)))
}

// speaksOfMode reports whether a function may see to the mode by other means:
// set_eval(net), with net.evaluating(), net.training.
func (f *File) speaksOfMode(def syntax.Node) bool {
	for n := range f.Preorder(def) {
		if k := f.Kind(n); k == syntax.Name || k == syntax.Attribute {
			name := strings.ToLower(string(f.Name(n)))
			if strings.Contains(name, "eval") || strings.Contains(name, "mode") && !strings.Contains(name, "model") || name == "training" {
				return true
			}
		}
	}
	return false
}

// setsMode reports whether a function sets the mode of a model, itself or by
// what it calls.
func (m *modeFlow) setsMode(u *modeUnit, key string) bool {
	for _, list := range m.events(u, key, modeDepth) {
		for _, e := range list {
			if e.what == modeOn || e.what == modeOff {
				return true
			}
		}
	}
	return false
}

// trainingReaches is a switch to training mode from which a path leads to a
// node on which the mode is not touched again, where nothing says that the mode
// was chosen by a flag; 0: none.
func (m *modeFlow) trainingReaches(u *modeUnit, key string, to syntax.Node) syntax.Node {
	if u.flow().Cut() {
		return 0
	}
	ev := modeEvents(m.events(u, key, modeDepth))
	for v := range u.flow().At(to) {
		ev[v] = append(ev[v], modeEvent{what: modeJudged, node: to})
	}
	found := syntax.Node(0)
	for v, list := range ev {
		for i := range list {
			e := list[i]
			if e.what != modeOn || e.guess || e.node != e.inner || m.byFlag(u, e.node) {
				continue
			}
			m.paths(u, ev, v, i+1, func(o *modeEvent) bool {
				if o.what == modeJudged && (found == 0 || e.node < found) {
					found = e.node
				}
				return o.what != modeTrained
			}, nil)
		}
	}
	return found
}

// byFlag reports whether a switch stands under an if of which an arm sets
// evaluation mode.
func (m *modeFlow) byFlag(u *modeUnit, on syntax.Node) bool {
	t := u.tree
	for p := range t.Ancestors(on) {
		if t.Kind(p).IsFunction() {
			return false
		}
		if t.Kind(p) != syntax.If {
			continue
		}
		for _, c := range u.calls {
			if off, ok := m.sets(u, c); ok && off && (flow.Exclusive(t, c, on) || m.sameTest(u, on, t.Child(p, syntax.RoleTest))) {
				return true
			}
		}
	}
	return false
}
