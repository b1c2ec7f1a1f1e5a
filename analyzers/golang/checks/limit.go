package checks

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// limits finds the parameters that a function which checks holds numbers
// against, as an upper bound: the callers say what it is. It looks at the
// comparisons that send a number beyond it away, at a comparison that is the
// answer, and at the bounds of the checks that it calls.
func (f *Func) limits(sum *Summary) map[int]bool {
	out := map[int]bool{}
	add := func(v ssa.Value) {
		if i := f.param(v); i >= 0 {
			out[i] = true
		}
	}
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			switch in := instr.(type) {
			case *ssa.If:
				for _, fail := range f.Fails(in) {
					if f.refuses(fail.Arm, sum) {
						add(fail.Limit)
					}
				}
			case *ssa.Return:
				if len(in.Results) > 0 {
					add(answered(in.Results[len(in.Results)-1], sum))
				}
			case *ssa.Call:
				args := Args(in.Common())
				if inner := f.pkg.summary(in.Common()); inner != nil {
					for i := range inner.Limits {
						if i < len(args) {
							add(args[i])
						}
					}
				}
			}
		}
	}
	return out
}

// param returns the index of a parameter that a value is, or -1.
func (f *Func) param(v ssa.Value) int {
	for {
		c, ok := v.(*ssa.Convert)
		if !ok {
			break
		}
		v = c.X
	}
	if p, ok := v.(*ssa.Parameter); ok {
		return slices.Index(f.fn.Params, p)
	}
	return -1
}

// refuses reports whether an arm answers that an id is not right.
func (f *Func) refuses(arm *ssa.BasicBlock, sum *Summary) bool {
	if ret, ok := arm.Instrs[len(arm.Instrs)-1].(*ssa.Return); ok && len(ret.Results) > 0 {
		last := ret.Results[len(ret.Results)-1]
		if isBool(last.Type()) {
			c, ok := last.(*ssa.Const)
			return ok && c.Value != nil && constant.BoolVal(c.Value) == sum.badAnswer()
		}
	}
	return f.gives(arm)
}

// badAnswer is what a predicate says of an id that is not right.
func (s *Summary) badAnswer() bool {
	for _, b := range s.True {
		if b&Upper != 0 {
			return false
		}
	}
	return true
}

// answered returns the upper bound of a comparison that is the answer itself;
// nil: it is none.
func answered(v ssa.Value, sum *Summary) ssa.Value {
	c, ok := v.(*ssa.BinOp)
	if phi, isPhi := v.(*ssa.Phi); isPhi { // a && b, a || b
		for _, e := range phi.Edges {
			if last, isComparison := e.(*ssa.BinOp); isComparison {
				c, ok = last, true
			}
		}
	}
	if !ok || mirrored[c.Op] == 0 {
		return nil
	}
	op := c.Op
	if sum.badAnswer() {
		op = negated[op]
	}
	if op == token.LSS || op == token.LEQ {
		return c.Y
	}
	return c.X
}

// Refuses reports whether a call makes a check refuse all ids: its upper bound
// is a constant of 0 or less.
func (s *Summary) Refuses(call *ssa.CallCommon) bool {
	if s == nil {
		return false
	}
	args := Args(call)
	for i := range s.Limits {
		if i >= len(args) {
			continue
		}
		if c, ok := args[i].(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Int && constant.Sign(c.Value) <= 0 {
			return true
		}
	}
	return false
}
