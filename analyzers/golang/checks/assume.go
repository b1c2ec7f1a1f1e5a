package checks

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// assume adds what follows from a condition being true or false.
func (f *Func) assume(s state, cond ssa.Value, truth bool, at *ssa.BasicBlock) {
	switch c := cond.(type) {
	case *ssa.UnOp:
		if c.Op == token.NOT {
			f.assume(s, c.X, !truth, at)
		}
	case *ssa.BinOp:
		f.compare(s, c, truth)
	case *ssa.Phi:
		f.assumePhi(s, c, truth)
	case *ssa.Call:
		f.assumeCall(s, c, truth)
	case *ssa.Extract:
		if call, ok := c.Tuple.(*ssa.Call); ok {
			f.answer(s, call, truth)
		}
	}
}

// assumePhi is for conditions that were stored: ok := id >= 0 && id < n.
func (f *Func) assumePhi(s state, phi *ssa.Phi, truth bool) {
	if f.asking[phi] {
		return // around a loop: it follows nothing from itself
	}
	f.asking[phi] = true
	defer delete(f.asking, phi)
	common := state{dead: true}
	for i, p := range phi.Block().Preds {
		if !f.done[p.Index] {
			continue
		}
		e := phi.Edges[i]
		if k, ok := e.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.Bool {
			if constant.BoolVal(k.Value) != truth {
				continue
			}
		}
		way := f.edge(p, phi.Block()).clone()
		if !way.dead {
			if _, isPhi := e.(*ssa.Phi); !isPhi {
				f.assume(way, e, truth, p)
			}
		}
		common = meet(common, way)
	}
	for p, b := range common.facts {
		s.add(p, b&(Both|Nil))
	}
}

// compare takes a comparison of numbers, or of an error with nil.
func (f *Func) compare(s state, c *ssa.BinOp, truth bool) {
	if c.Op == token.EQL || c.Op == token.NEQ {
		same := (c.Op == token.EQL) == truth
		x, y := c.X, c.Y
		if _, ok := x.(*ssa.Const); ok {
			x, y = y, x
		}
		if k, ok := y.(*ssa.Const); ok {
			switch {
			case k.Value == nil && same && isError(x.Type()):
				f.assumeNil(s, x)
			case k.Value != nil:
				f.compareIndex(s, x, k, token.EQL, same)
			}
		}
		return
	}
	if !isInteger(c.X.Type()) {
		return
	}
	if k, ok := c.Y.(*ssa.Const); ok {
		f.compareIndex(s, c.X, k, c.Op, truth)
	}
	f.bound(s, c.X, c.Op, c.Y, truth)
	f.bound(s, c.Y, mirrored[c.Op], c.X, truth)
}

var mirrored = map[token.Token]token.Token{token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ}

var negated = map[token.Token]token.Token{token.LSS: token.GEQ, token.GTR: token.LEQ, token.LEQ: token.GTR, token.GEQ: token.LSS}

// bound takes v op limit.
func (f *Func) bound(s state, v ssa.Value, op token.Token, limit ssa.Value, truth bool) {
	if !truth {
		op = negated[op]
	}
	if _, isConst := v.(*ssa.Const); isConst {
		return
	}
	k, constLimit := int64(0), false
	if c, ok := limit.(*ssa.Const); ok && c.Value != nil {
		k, constLimit = c.Int64(), true
	}
	var bits Bits
	switch {
	case (op == token.LSS || op == token.LEQ) && !(constLimit && k <= 0):
		bits = Upper
		if unsigned(v.Type()) {
			bits = Both // a negative id is a huge one
		}
	case constLimit && (op == token.GEQ && k >= 0 || op == token.GTR && k >= -1):
		bits = Lower
	}
	if bits == 0 {
		return
	}
	p := f.places.of(v)
	if q := f.places.of(limit); q != nil && q.parent != nil && q.parent == p.parent {
		return // two elements of one list: sorting, not checking
	}
	f.learn(s, p, v, bits)
}

// learn adds the bits of a place, and of the list when the value is the
// greatest or the least of it.
func (f *Func) learn(s state, p *Place, v ssa.Value, bits Bits) {
	s.add(p, bits)
	call, ok := v.(*ssa.Call)
	for c, isConv := v.(*ssa.Convert); isConv && !ok; c, isConv = c.X.(*ssa.Convert) {
		call, ok = c.X.(*ssa.Call)
	}
	if !ok {
		return
	}
	switch calleeName(call) {
	case "slices.Max":
		s.add(f.places.of(call.Call.Args[0]), bits&Upper)
	case "slices.Min":
		s.add(f.places.of(call.Call.Args[0]), bits&Lower)
	}
}

func calleeName(call *ssa.Call) string {
	fn := call.Call.StaticCallee()
	if fn == nil {
		return ""
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg == nil || fn.Signature.Recv() != nil {
		return ""
	}
	return fn.Pkg.Pkg.Path() + "." + fn.Name()
}

// compareIndex takes slices.IndexFunc(ids, bad) held against -1 or 0.
func (f *Func) compareIndex(s state, v ssa.Value, k *ssa.Const, op token.Token, truth bool) {
	call, ok := v.(*ssa.Call)
	if !ok || calleeName(call) != "slices.IndexFunc" || !isInteger(k.Type()) {
		return
	}
	if !truth && op != token.EQL {
		op, truth = negated[op], true
	}
	n := k.Int64()
	none := op == token.EQL && truth && n == -1 || op == token.LSS && n == 0 || op == token.LEQ && n == -1
	if none {
		f.noneIs(s, call)
	}
}

// noneIs takes that a function answers false for every element of a list.
func (f *Func) noneIs(s state, call *ssa.Call) {
	bad, ok := call.Call.Args[1].(*ssa.Function)
	if mk, isClosure := call.Call.Args[1].(*ssa.MakeClosure); isClosure {
		bad, ok = mk.Fn.(*ssa.Function)
	}
	if !ok {
		return
	}
	if sum := f.pkg.summaryOf(bad); sum != nil {
		s.add(f.places.of(call.Call.Args[0]), sum.False[0]&Both)
	}
}

// assumeCall takes the answer of a call that is a condition by itself.
func (f *Func) assumeCall(s state, call *ssa.Call, truth bool) {
	switch calleeName(call) {
	case "slices.ContainsFunc":
		if !truth {
			f.noneIs(s, call)
		}
		return
	case "errors.Is", "errors.As":
		// The fault has gone its way; what is left of the error is no fault.
		if !truth {
			f.assumeNil(s, call.Call.Args[0])
		}
		return
	}
	f.answer(s, call, truth)
}

// answer takes the boolean result of a function that checks.
func (f *Func) answer(s state, call *ssa.Call, truth bool) {
	sum := f.pkg.summary(call.Common())
	if sum == nil || sum.Refuses(call.Common()) {
		return
	}
	if truth {
		f.apply(s, call.Common(), sum.True)
	} else {
		f.apply(s, call.Common(), sum.False)
	}
}

// assumeNil takes that an error is nil.
func (f *Func) assumeNil(s state, v ssa.Value) { f.assumeNilVia(s, v, map[ssa.Value]bool{}) }

func (f *Func) assumeNilVia(s state, v ssa.Value, seen map[ssa.Value]bool) {
	if seen[v] {
		return
	}
	seen[v] = true
	s.add(f.places.of(v), Nil)
	switch e := v.(type) {
	case *ssa.Extract:
		if call, ok := e.Tuple.(*ssa.Call); ok && e.Index == call.Type().(interface{ Len() int }).Len()-1 {
			f.noError(s, call)
		}
	case *ssa.Call:
		f.noError(s, e)
	case *ssa.Phi:
		if f.asking[e] {
			return
		}
		f.asking[e] = true
		defer delete(f.asking, e)
		common := state{dead: true}
		for i, p := range e.Block().Preds {
			if !f.done[p.Index] || f.out[p.Index].dead || f.pkg.neverNil(e.Edges[i], p) {
				continue // not the way that was taken
			}
			way := f.edge(p, e.Block()).clone()
			f.assumeNilVia(way, e.Edges[i], seen)
			common = meet(common, way)
		}
		for p, b := range common.facts {
			s.add(p, b&(Both|Nil))
		}
	case *ssa.UnOp:
		if e.Op == token.MUL {
			if stored := lastStore(e); stored != nil {
				f.assumeNilVia(s, stored, seen)
			}
		}
	}
}

func (f *Func) noError(s state, call *ssa.Call) {
	if sum := f.pkg.summary(call.Common()); sum != nil && !sum.Refuses(call.Common()) {
		f.apply(s, call.Common(), sum.Nil)
		f.given(s, call, sum)
	}
}

// lastStore finds what a variable that could not be lifted holds at a load: the
// last store of the block before it, or the only one of the function.
func lastStore(load *ssa.UnOp) ssa.Value {
	var last ssa.Value
	for _, instr := range load.Block().Instrs {
		if instr == load {
			break
		}
		if st, ok := instr.(*ssa.Store); ok && st.Addr == load.X {
			last = st.Val
		}
	}
	if last != nil {
		return last
	}
	alloc, ok := load.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	for _, ref := range *alloc.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Addr == alloc {
			if last != nil {
				return nil
			}
			last = st.Val
		}
	}
	return last
}

// apply adds what a summary says of the arguments.
func (f *Func) apply(s state, call *ssa.CallCommon, params map[int]Bits) {
	args := Args(call)
	for i, b := range params {
		if i >= len(args) {
			continue
		}
		if b&Nil != 0 && isError(args[i].Type()) {
			f.assumeNil(s, args[i])
		}
		s.add(f.places.of(args[i]), b&Both)
	}
}

// Args returns the arguments by the parameters of the declaration, the
// receiver first.
func Args(call *ssa.CallCommon) []ssa.Value {
	if call.IsInvoke() {
		return append([]ssa.Value{call.Value}, call.Args...)
	}
	return call.Args
}
