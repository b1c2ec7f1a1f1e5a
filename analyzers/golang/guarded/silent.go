package guarded

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/trainvet/trainvet/analyzers/golang/checks"
	"github.com/trainvet/trainvet/analyzers/golang/sites"
	"github.com/trainvet/trainvet/analyzers/golang/upward"
	"github.com/trainvet/trainvet/analyzers/site"
)

// silent finds the check of a decode that tells nobody: the ids that are no
// words are left out or replaced, and the text is made of the rest. That is
// what the tokenizers do that a guard is there for. One check that speaks is
// enough, and so is a log line or a counter.
func (w *work) silent(f *checks.Func, in ssa.Instruction, ids ssa.Value) *Missed {
	var quiet *Missed
	for _, c := range w.checksOf(f, in, ids) {
		if c.loud {
			return nil
		}
		quiet = &Missed{
			Code: "TV105", Pos: c.pos, Here: "the check: " + c.text,
			Why: c.text + " finds what is no word and tells nobody: it is left out or replaced, and the text is made of the rest",
		}
	}
	return quiet
}

// quiet is the state of a decode whose check tells nobody. Where its ids are a
// parameter its callers may have checked before, as for any other.
func (w *work) quiet(s *sites.Site, src checks.Sources, open State, m *Missed) (State, *types.Func) {
	open.Why = m.Why
	st, to := w.passedOn(s, src, open)
	if to == nil && st.State == site.Unguarded {
		st.Missed, st.Guard = m, &site.Related{At: w.unit.Position(m.Pos), Message: m.Here}
	}
	return st, to
}

// check is one of a decode's ids, with what its failing does.
type check struct {
	pos  token.Pos
	text string
	loud bool
}

func (w *work) checksOf(f *checks.Func, in ssa.Instruction, ids ssa.Value) []check {
	var out []check
	for _, g := range f.Guards() {
		if g.Call == nil || g.Instr == in || !f.Related(g.Arg, ids) || !checks.Reaches(g.Instr, in) {
			continue
		}
		out = append(out, check{g.Pos, w.guardText(g), w.byName(g) || !w.quietCall(g.Call)})
	}
	for _, b := range in.Parent().Blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || !checks.Reaches(branch, in) {
			continue
		}
		for _, way := range f.Fails(branch) {
			if f.Related(way.Value, ids) {
				out = append(out, check{branch.Cond.Pos(), "a comparison", !quietArm(b, way.Arm)})
			}
		}
	}
	return out
}

// quietCall reports whether nobody hears what a function that checks has found.
func (w *work) quietCall(call *ssa.Call) bool {
	if _, has := upward.ErrorOf(call); has {
		places := w.up.FromCall(call)
		return len(places) > 0 && places[0].Silent
	}
	if b, ok := call.Type().Underlying().(*types.Basic); !ok || b.Info()&types.IsBoolean == 0 {
		return false
	}
	bad := w.refuses(call)
	quiet := false
	for _, ref := range *call.Referrers() {
		branch, ok := ref.(*ssa.If)
		if !ok || !quietArm(branch.Block(), branch.Block().Succs[bad]) {
			return false
		}
		quiet = true
	}
	return quiet
}

// refuses is the arm of a branch on the answer of a function that checks which
// is taken for what is no word: 0 for true.
func (w *work) refuses(call *ssa.Call) int {
	if sum := w.checks.Summary(call.Common()); sum != nil {
		for _, bits := range sum.True {
			if bits&checks.Upper != 0 {
				return 1
			}
		}
	}
	return 0
}

// quietArm reports whether an arm of a branch leaves no trace that somebody
// could read: no error, no flag, no count, no call.
func quietArm(from, arm *ssa.BasicBlock) bool {
	other := from.Succs[0]
	if other == arm {
		other = from.Succs[1]
	}
	if meets(from, arm, other) {
		return quietEdge(from, arm, nil)
	}
	for _, b := range arm.Parent().Blocks {
		if !arm.Dominates(b) {
			continue
		}
		for _, instr := range b.Instrs {
			if !quietInstr(instr) {
				return false
			}
		}
		for _, next := range b.Succs {
			if !arm.Dominates(next) && !quietEdge(b, next, arm) {
				return false
			}
		}
	}
	return true
}

// meets reports whether an arm is no block of its own: it is where the other
// way of the branch comes to as well, be it around a loop.
func meets(from, arm, other *ssa.BasicBlock) bool {
	if arm.Dominates(from) {
		return true // the head of the loop
	}
	if other.Dominates(from) {
		return false // the other way is around the loop
	}
	return slices.ContainsFunc(arm.Preds, func(p *ssa.BasicBlock) bool { return other == p || other.Dominates(p) })
}

func quietInstr(instr ssa.Instruction) bool {
	switch in := instr.(type) {
	case *ssa.Return:
		if n := len(in.Results); n > 0 {
			last := in.Results[n-1]
			return !tells(last.Type()) || types.Identical(last.Type(), types.Universe.Lookup("error").Type()) && isNil(last)
		}
	case *ssa.Panic, *ssa.Send, *ssa.MapUpdate, *ssa.Go, *ssa.Defer:
		return false
	case *ssa.Store:
		_, ok := in.Addr.(*ssa.IndexAddr)
		return ok && isNumber(in.Val.Type()) // the id itself is replaced
	case *ssa.Call:
		b, ok := in.Call.Value.(*ssa.Builtin)
		if !ok {
			return false
		}
		if list, isList := in.Type().Underlying().(*types.Slice); b.Name() == "append" && isList {
			return isNumber(list.Elem())
		}
		return b.Name() != "print" && b.Name() != "println"
	}
	return true
}

// quietEdge reports whether no variable says, where ways meet, that this one
// was taken: no flag, no error, no count that went up.
func quietEdge(from, to, arm *ssa.BasicBlock) bool {
	for _, instr := range to.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		for i, p := range to.Preds {
			if p != from {
				continue
			}
			v := phi.Edges[i]
			if _, isConst := v.(*ssa.Const); isConst && tells(v.Type()) {
				return false
			}
			made, ok := v.(ssa.Instruction)
			if !ok || arm == nil || !arm.Dominates(made.Block()) {
				continue
			}
			if _, counts := v.(*ssa.BinOp); counts && isNumber(v.Type()) || tells(v.Type()) {
				return false
			}
		}
	}
	return true
}

// tells reports whether a value of a type can say that something went wrong.
func tells(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return types.Identical(t, types.Universe.Lookup("error").Type()) || ok && b.Info()&types.IsBoolean != 0
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}
