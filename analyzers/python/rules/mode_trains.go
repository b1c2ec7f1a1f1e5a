package rules

import (
	"slices"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// modeAnswer says whether a function does something, itself or by what it calls,
// as far as it is known.
type modeAnswer uint8

const (
	modeUnknown modeAnswer = iota
	modeAsked              // it is being found out: it may
	modeYes
	modeNo
)

// ask finds an answer by asking about each call of a function, once. It says yes
// where it would have to look too deep.
func (u *modeUnit) ask(a *modeAnswer, depth int, does func(call syntax.Node) bool) bool {
	if *a == modeUnknown && depth > 0 {
		*a = modeAsked
		found := modeNo
		if slices.ContainsFunc(u.calls, does) {
			found = modeYes
		}
		*a = found
	}
	return *a != modeNo
}

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
	return u.ask(&u.train, depth, func(c syntax.Node) bool { return m.trainsBy(u, c, depth) })
}

// switchesOff reports whether a function may leave a model in evaluation mode,
// itself or by what it calls: most never name that mode, and nothing of their
// models needs to be followed.
func (m *modeFlow) switchesOff(u *modeUnit, depth int) bool {
	return u.ask(&u.off, depth, func(c syntax.Node) bool {
		if off, ok := m.sets(u, c); ok {
			return off
		}
		fn := m.callee(u.fn.File, c)
		return fn.Def != 0 && m.switchesOff(m.unit(fn), depth-1)
	})
}
