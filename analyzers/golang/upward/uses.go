package upward

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// uses is what one function does with an error. Where it does several things,
// the best counts: an error that is logged and returned is returned.
type uses struct {
	t        *Tracer
	seen     map[ssa.Value]bool
	pos      token.Pos
	how      string
	returned bool // to the caller
	kept     bool // it ends the run, or somebody else has it now
	lost     bool // looked at, and the run goes on
	silent   bool // and nobody is told
}

func (u *uses) say(pos token.Pos, how string) {
	if pos.IsValid() {
		u.pos = pos
	}
	u.how = how
}

func (u *uses) gives(pos token.Pos, how string) {
	if !u.returned {
		u.returned, u.lost = true, false
		u.say(pos, how)
	}
}

func (u *uses) keeps(pos token.Pos, how string) {
	if !u.returned && !u.kept {
		u.kept, u.lost = true, false
		u.say(pos, how)
	}
}

func (u *uses) loses(pos token.Pos, how string) {
	if !u.returned && !u.kept && !u.lost {
		u.lost = true
		u.say(pos, how)
	}
}

// follow looks at each use of a value that is the error, or holds it.
func (u *uses) follow(v ssa.Value) {
	if u.seen[v] || v.Referrers() == nil {
		return
	}
	u.seen[v] = true
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Return:
			u.gives(ref.Pos(), "returned")
		case *ssa.Panic:
			u.keeps(ref.Pos(), "panics")
		case *ssa.Phi:
			u.follow(ref)
		case *ssa.MakeInterface:
			u.follow(ref)
		case *ssa.ChangeInterface:
			u.follow(ref)
		case *ssa.TypeAssert:
			u.follow(ref)
		case *ssa.Send:
			u.keeps(ref.Pos(), "sent on a channel")
		case *ssa.Store:
			u.stored(ref)
		case *ssa.BinOp:
			u.tested(ref)
		case ssa.CallInstruction:
			u.called(ref, v)
		}
	}
}

// stored follows an error into a variable, or into the arguments of a call.
func (u *uses) stored(st *ssa.Store) {
	switch addr := st.Addr.(type) {
	case *ssa.IndexAddr:
		if array, ok := addr.X.(*ssa.Alloc); ok {
			for _, ref := range *array.Referrers() {
				if s, ok := ref.(*ssa.Slice); ok {
					u.follow(s)
				}
			}
			return
		}
		u.keeps(st.Pos(), "kept in a list")
	case *ssa.Alloc:
		for _, ref := range *addr.Referrers() {
			switch ref := ref.(type) {
			case *ssa.UnOp:
				u.follow(ref)
			case *ssa.MakeClosure:
				u.keeps(st.Pos(), "kept in a variable that a closure sees")
			}
		}
	case *ssa.FreeVar:
		u.keeps(st.Pos(), "kept in a variable of the function around")
	default:
		u.keeps(st.Pos(), "kept")
	}
}

// called follows an error into a call: into another error, or to who is told.
func (u *uses) called(in ssa.CallInstruction, v ssa.Value) {
	call, ok := in.(*ssa.Call)
	if !ok {
		return
	}
	fn := callee(call)
	if u.ends(fn) {
		u.keeps(call.Pos(), "ends the process")
		return
	}
	if fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "errors" && (fn.Name() == "Is" || fn.Name() == "As") {
		return // a test, not a use
	}
	if fn != nil && fn.Pkg() != nil && u.t.table.Is("tests", fn.Pkg().Path()) {
		u.keeps(call.Pos(), "told to the test")
		return
	}
	results := call.Common().Signature().Results()
	for i := range results.Len() {
		if types.Identical(results.At(i).Type(), errorType) {
			u.follow(call)
			for _, ref := range *call.Referrers() {
				if ex, ok := ref.(*ssa.Extract); ok && ex.Index == i {
					u.follow(ex)
				}
			}
			return
		}
	}
	if _, isSlice := v.Type().Underlying().(*types.Slice); isSlice || fn != nil {
		who := "a function"
		if fn != nil {
			who = fn.Name()
		}
		u.silent = false
		u.loses(call.Pos(), "handed to "+who+", and the run goes on")
	}
}

// tested looks at the arm that an error takes.
func (u *uses) tested(cmp *ssa.BinOp) {
	for _, ref := range *cmp.Referrers() {
		in, ok := ref.(*ssa.If)
		if !ok {
			u.keeps(cmp.Pos(), "kept as a condition")
			continue
		}
		arm := in.Block().Succs[0]
		if cmp.Op == token.EQL {
			arm = in.Block().Succs[1]
		}
		u.arm(arm, cmp.Pos())
	}
}

// arm looks at what is done when there is an error: an error of its own may be
// returned, or the run ends.
func (u *uses) arm(arm *ssa.BasicBlock, pos token.Pos) {
	acts := false
	for _, b := range arm.Parent().Blocks {
		if b != arm && !arm.Dominates(b) || len(arm.Preds) > 1 {
			continue
		}
		for _, instr := range b.Instrs {
			switch in := instr.(type) {
			case *ssa.Return:
				if n := len(in.Results); n > 0 && types.Identical(in.Results[n-1].Type(), errorType) && !isNil(in.Results[n-1]) {
					u.gives(in.Pos(), "returned")
				}
			case *ssa.Panic:
				u.keeps(in.Pos(), "panics")
			case *ssa.Call:
				if u.ends(callee(in)) {
					u.keeps(in.Pos(), "ends the process")
				}
				acts = true
			case *ssa.Send:
				u.keeps(in.Pos(), "told on a channel")
			case *ssa.Store, *ssa.MapUpdate, *ssa.BinOp:
				acts = true
			}
		}
		acts = acts || notes(b, arm)
	}
	if acts {
		u.silent = false
		u.loses(pos, "noted, and the run goes on")
	} else if !u.lost {
		u.silent = true
		u.loses(pos, "looked at, and the run goes on as if nothing had happened")
	}
}

// notes reports whether a variable holds something else behind an arm than it
// does on the other ways there: a flag, a count.
func notes(b, arm *ssa.BasicBlock) bool {
	for _, next := range b.Succs {
		if arm.Dominates(next) {
			continue
		}
		for _, instr := range next.Instrs {
			phi, ok := instr.(*ssa.Phi)
			if !ok {
				break
			}
			for i, p := range next.Preds {
				for k, q := range next.Preds {
					if p == b && q != b && phi.Edges[i] != phi.Edges[k] && phi.Edges[i] != phi {
						return true
					}
				}
			}
		}
	}
	return false
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

func callee(call *ssa.Call) *types.Func {
	if call.Call.IsInvoke() {
		return call.Call.Method
	}
	fn := call.Call.StaticCallee()
	if fn == nil {
		return nil
	}
	obj, _ := fn.Object().(*types.Func)
	return obj
}

// ends reports whether a function ends the process, or the test that runs it.
func (u *uses) ends(fn *types.Func) bool {
	if fn == nil {
		return false
	}
	if fn.Pkg() != nil && u.t.table.Is("ends", fn.Pkg().Path()+"."+fn.Name()) {
		return true
	}
	return fn.Signature().Results().Len() == 0 && (u.t.table.Is("ends-named", fn.Name()) || strings.HasPrefix(fn.Name(), "Must"))
}
