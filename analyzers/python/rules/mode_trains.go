package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// trainState says whether a function computes gradients, as far as it is known.
type trainState uint8

const (
	trainUnknown trainState = iota
	trainAsked              // it is being found out
	trainYes
	trainNo
)

// trainsInLoop reports whether a loop of a function may compute gradients,
// itself or by what it calls: without one no model is trained in the wrong mode,
// and its models need not be followed.
func (m *modeFlow) trainsInLoop(u *modeUnit) bool {
	for _, c := range u.calls {
		if inLoop(u, c) && m.trainsBy(u, c, modeDepth) {
			return true
		}
	}
	return false
}

func inLoop(u *modeUnit, n syntax.Node) bool {
	for p := range u.tree.Ancestors(n) {
		switch k := u.tree.Kind(p); {
		case k == syntax.For, k == syntax.AsyncFor, k == syntax.While:
			return true
		case p == u.fn.Def, k.IsFunction():
			return false
		}
	}
	return false
}

// trainsBy reports whether a call may compute gradients. It says yes where it
// would have to look too deep.
func (m *modeFlow) trainsBy(u *modeUnit, call syntax.Node, depth int) bool {
	if isBackward(u.tree, call) {
		return true
	}
	fn := m.callee(u.fn.File, call)
	return fn.Def != 0 && m.trains(m.unit(fn), depth-1)
}

func (m *modeFlow) trains(u *modeUnit, depth int) bool {
	if u.train == trainUnknown && depth > 0 {
		u.train = trainAsked
		found := trainNo
		for _, c := range u.calls {
			if m.trainsBy(u, c, depth) {
				found = trainYes
				break
			}
		}
		u.train = found
	}
	return u.train != trainNo
}
