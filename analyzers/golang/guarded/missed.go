package guarded

import (
	"golang.org/x/tools/go/ssa"

	"github.com/trainvet/trainvet/analyzers/golang/checks"
	"github.com/trainvet/trainvet/analyzers/golang/sites"
)

// missed finds a guard in the function of an unguarded decode that seems meant
// for it and does not protect it. A guard whose error is dropped is a finding
// of its own and not said twice.
func (w *work) missed(s *sites.Site, f *checks.Func, in ssa.Instruction, ids ssa.Value) *Missed {
	var other *checks.Guard
	var best *Missed
	for _, g := range f.Guards() {
		if g.Call == nil || in == g.Instr || w.dropped(g.Call) {
			continue
		}
		if !f.Related(g.Arg, ids) {
			if w.byName(g) && other == nil {
				other = &g
			}
			continue
		}
		m := &Missed{Code: "TV105", Pos: g.Pos, Here: "the guard: " + w.guardText(g)}
		switch before, behind := checks.Reaches(g.Instr, in), checks.Reaches(in, g.Instr); {
		case !before && behind:
			m.Why = w.guardText(g) + " comes after the decode: the text was made of unchecked ids"
		case before && behind && !g.Instr.Block().Dominates(in.Block()):
			m.Why = w.guardText(g) + " comes after the decode: the text was made of unchecked ids"
		case before:
			m.Why = w.guardText(g) + " is not on every path to the decode, or its answer does not decide"
		default:
			continue // on another branch: of another decode
		}
		best = m
	}
	if best == nil && other != nil && !w.guardsOther(s, f, other) {
		best = &Missed{Code: "TV105", Pos: other.Pos, Here: "the guard: " + w.guardText(*other), Why: w.guardText(*other) + " checks another value than the one that is decoded"}
	}
	return best
}

// byName reports whether a guard is one by its author's word: any other
// function that compares may have its own reasons to look at another value.
func (w *work) byName(g checks.Guard) bool {
	fn := checks.Callee(g.Call.Common())
	if fn == nil {
		return false
	}
	_, ok := w.sites.Guard(fn)
	return ok
}

// guardsOther reports whether what a guard checks is decoded elsewhere in the
// function: it does its work then.
func (w *work) guardsOther(s *sites.Site, f *checks.Func, g *checks.Guard) bool {
	for _, o := range w.sites.List {
		if o == s || o.Enclosing != s.Enclosing || o.Escapes {
			continue
		}
		if _, ids := w.instruction(o); ids != nil && f.Related(g.Arg, ids) {
			return true
		}
	}
	return false
}

// dropped reports whether nobody looks at the answer of a call.
func (w *work) dropped(call *ssa.Call) bool {
	for _, ref := range *call.Referrers() {
		if ex, ok := ref.(*ssa.Extract); ok && len(*ex.Referrers()) == 0 {
			continue
		}
		return false
	}
	return call.Type() != nil && call.Common().Signature().Results().Len() > 0
}
