package faultflow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// variable is the local or captured variable that an address lies in; nil: it
// lies elsewhere.
func variable(addr ssa.Value) ssa.Value {
	for {
		switch a := addr.(type) {
		case *ssa.Alloc, *ssa.FreeVar:
			return a
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		default:
			return nil
		}
	}
}

// readByLiteral reports whether a function literal that captured the variable
// reads it: who stores there has handed the value on.
func readByLiteral(a *ssa.Alloc) bool {
	for _, ref := range *a.Referrers() {
		if m, ok := ref.(*ssa.MakeClosure); ok {
			if free := captured(m, a); free != nil && loads(free) {
				return true
			}
		}
	}
	return false
}

// readOutside reports whether anybody but the literal itself reads the
// variable that it captured: the function around it, another literal.
func readOutside(free *ssa.FreeVar) bool {
	b := binding(free)
	if b == nil {
		return true // not seen where it comes from
	}
	if outer, ok := b.(*ssa.FreeVar); ok {
		return loads(outer) || readOutside(outer)
	}
	refs := b.Referrers()
	if refs == nil {
		return true
	}
	for _, ref := range *refs {
		if m, ok := ref.(*ssa.MakeClosure); ok {
			if f := captured(m, b); f != nil && f != free && loads(f) {
				return true
			}
		}
	}
	return loads(b)
}

// loads reports whether a variable is read, as a whole or in part, or its
// address given away.
func loads(v ssa.Value) bool {
	refs := v.Referrers()
	if refs == nil {
		return false
	}
	for _, ref := range *refs {
		switch ref := ref.(type) {
		case *ssa.UnOp:
			if ref.Op == token.MUL && len(*ref.Referrers()) > 0 {
				return true
			}
		case *ssa.FieldAddr:
			if loads(ref) {
				return true
			}
		case *ssa.IndexAddr:
			if loads(ref) {
				return true
			}
		case *ssa.MakeClosure:
			if f := captured(ref, v); f != nil && loads(f) {
				return true
			}
		case *ssa.Store:
			if ref.Val == v {
				return true
			}
		case *ssa.DebugRef:
		default:
			return true
		}
	}
	return false
}

// isResult reports whether a variable is a named result: a return reads it.
func isResult(fn *ssa.Function, a *ssa.Alloc) bool {
	for _, r := range returns(fn) {
		for _, v := range r.Results {
			if load, ok := v.(*ssa.UnOp); ok && load.X == a {
				return true
			}
		}
	}
	return false
}
