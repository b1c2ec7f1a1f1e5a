package faultflow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Some faults are remembered: an Err method answers the first one again and
// again, as those of scanners and contexts do. Who asks a second time holds the
// fault again, so the later answer is looked at in the place of the earlier one.
// And who has an earlier answer that was an error asks what is new: what stood
// there before is the matter of those who caused it.

// remembers reports whether a call asks for an error that stays where it is.
func remembers(c *ssa.CallCommon) bool {
	fn := callee(c)
	if fn == nil || fn.Name() != "Err" {
		return false
	}
	sig := fn.Signature()
	return sig.Params().Len() == 0 && sig.Results().Len() == 1 && isError(sig.Results().At(0).Type())
}

// again reports whether a call asks once more for what the source remembers.
func (w *walk) again(c *ssa.CallCommon) bool {
	source, ok := w.source.(*ssa.Call)
	return ok && remembers(c) && sameQuestion(&source.Call, c)
}

// askedBefore reports whether the path has seen that an earlier answer to the
// same question was an error.
func (w *walk) askedBefore(p *path) bool {
	for v := range p.solid {
		if call, ok := v.(*ssa.Call); ok && v != w.source && w.again(&call.Call) {
			return true
		}
	}
	return false
}

func sameQuestion(a, b *ssa.CallCommon) bool {
	if callee(a) == nil || callee(a) != callee(b) || len(arguments(a)) != len(arguments(b)) {
		return false
	}
	for i, x := range arguments(a) {
		if !sameValue(x, arguments(b)[i]) {
			return false
		}
	}
	return true
}

// sameValue reports whether two values are one: the same, or read from one place.
// That the place is written between is given up.
func sameValue(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	switch a := a.(type) {
	case *ssa.UnOp:
		b, ok := b.(*ssa.UnOp)
		return ok && a.Op == b.Op && sameValue(a.X, b.X)
	case *ssa.FieldAddr:
		b, ok := b.(*ssa.FieldAddr)
		return ok && a.Field == b.Field && sameValue(a.X, b.X)
	case *ssa.Field:
		b, ok := b.(*ssa.Field)
		return ok && a.Field == b.Field && sameValue(a.X, b.X)
	case *ssa.Call:
		b, ok := b.(*ssa.Call)
		return ok && sameQuestion(&a.Call, &b.Call)
	}
	return false
}

// joinsSolid reports whether a call is errors.Join of an error that is there: it
// answers one.
func joinsSolid(p *path, c *ssa.CallCommon, fn *types.Func) bool {
	if fn == nil || fullName(fn) != "errors.Join" || len(c.Args) != 1 {
		return false
	}
	list, _ := elements(c.Args[0])
	for _, v := range list {
		if v != nil && p.solid[v] {
			return true
		}
	}
	return false
}
