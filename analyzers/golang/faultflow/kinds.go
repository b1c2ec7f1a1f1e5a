package faultflow

import (
	"go/types"
)

var (
	errorType  = types.Universe.Lookup("error").Type()
	errorIface = errorType.Underlying().(*types.Interface)
)

func isError(t types.Type) bool { return types.Identical(t, errorType) }

// errorish reports whether a value of type t can carry an error as an error: an
// error itself, what implements it, a list or record of such. A text cannot.
func errorish(t types.Type) bool { return carrier(t, 0) }

func carrier(t types.Type, depth int) bool {
	if depth > 4 {
		return false
	}
	if types.Implements(t, errorIface) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return u.NumMethods() == 0 && u.IsMethodSet() // any: the variadic arguments
	case *types.Pointer:
		return carrier(u.Elem(), depth+1) || types.Implements(u, errorIface)
	case *types.Slice:
		return carrier(u.Elem(), depth+1)
	case *types.Array:
		return carrier(u.Elem(), depth+1)
	case *types.Map:
		return carrier(u.Elem(), depth+1)
	case *types.Chan:
		return carrier(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if carrier(f.Type(), depth+1) {
				return true
			}
		}
	case *types.Tuple:
		for v := range u.Variables() {
			if carrier(v.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// errorResults lists the results of a signature that are errors.
func errorResults(sig *types.Signature) []int {
	var out []int
	for i := range sig.Results().Len() {
		if t := sig.Results().At(i).Type(); isError(t) || types.Implements(t, errorIface) {
			out = append(out, i)
		}
	}
	return out
}
