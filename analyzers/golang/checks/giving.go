package checks

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/trainvet/trainvet/analyzers/golang/sites"
)

// giving is what a function proves of the ids that it gives back: a helper that
// checks and hands them on. That they were counted by a loop, or chosen from
// scores, is no check, so only lists count that a guard in it speaks of.
type giving struct {
	f      *Func
	guards []Guard
	bits   map[int]Bits
	begun  bool
}

func newGiving(f *Func) *giving {
	g := &giving{f: f}
	for i := range f.fn.Signature.Results().Len() {
		if sites.IsIDList(f.fn.Signature.Results().At(i).Type()) {
			g.guards = f.Guards()
			break
		}
	}
	return g
}

// add takes one way out.
func (g *giving) add(s state, ret *ssa.Return) {
	if len(g.guards) == 0 {
		return
	}
	here := map[int]Bits{}
	for i, v := range ret.Results {
		if !sites.IsIDList(v.Type()) {
			continue
		}
		if bits := g.f.known(s, v) & Both; bits != 0 && g.checked(v, ret) {
			here[i] = bits
		}
	}
	if !g.begun {
		g.bits, g.begun = here, true
		return
	}
	for i := range g.bits {
		if g.bits[i] &= here[i]; g.bits[i] == 0 {
			delete(g.bits, i)
		}
	}
}

// checked reports whether a list is none, or one that a guard on the way there
// speaks of.
func (g *giving) checked(v ssa.Value, ret *ssa.Return) bool {
	if isNilConst(v) {
		return true
	}
	for _, guard := range g.guards {
		if g.f.Related(guard.Arg, v) && Reaches(guard.Instr, ret) {
			return true
		}
	}
	return false
}

// given takes what a call proves of a list that it gives back.
func (f *Func) given(s state, call *ssa.Call, sum *Summary) {
	if _, several := call.Type().(*types.Tuple); !several {
		s.add(f.places.root(call), sum.Gives[0]&Both)
		return
	}
	for _, ref := range *call.Referrers() {
		if ex, ok := ref.(*ssa.Extract); ok {
			s.add(f.places.of(ex), sum.Gives[ex.Index]&Both)
		}
	}
}
