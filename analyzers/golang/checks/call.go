package checks

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// call takes a call into account: what it proves by returning, and what it may
// have written.
func (f *Func) call(s state, in ssa.CallInstruction) {
	call := in.Common()
	if b, ok := call.Value.(*ssa.Builtin); ok {
		f.builtin(s, in, b.Name())
		return
	}
	sum := f.pkg.summary(call)
	quiet := f.quiet(call)
	for i, arg := range Args(call) {
		if !quiet && !sum.Guards(i) {
			f.filled(s, arg)
		}
	}
	if _, deferred := in.(*ssa.Defer); sum != nil && !deferred && !sum.Refuses(call) {
		f.apply(s, call, sum.Return)
	}
	if v, ok := in.(*ssa.Call); ok {
		if i, ok := f.pkg.copies(call); ok {
			s.set(f.places.root(v), f.known(s, Args(call)[i])&Both)
		}
		if sum != nil && !lastIsError(call) && !sum.Refuses(call) {
			f.given(s, v, sum)
		}
	}
}

func lastIsError(call *ssa.CallCommon) bool {
	results := call.Signature().Results()
	return results.Len() > 0 && isError(results.At(results.Len()-1).Type())
}

// filled unchecks a list or variable that was made here and is handed to a
// call, which may fill it with anything.
func (f *Func) filled(s state, arg ssa.Value) {
	if mk, ok := arg.(*ssa.MakeInterface); ok {
		arg = mk.X
	}
	var at *Place
	switch arg.Type().Underlying().(type) {
	case *types.Pointer:
		at = f.places.at(arg)
	case *types.Slice:
		at = f.places.of(arg)
	default:
		return
	}
	for p := at; p != nil; p = p.parent {
		if s.isFresh(p) {
			s.forget(p)
		}
	}
}

// quiet reports whether a callee only reads what it is given.
func (f *Func) quiet(call *ssa.CallCommon) bool {
	fn := Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	return f.pkg.table.Is("readers", fn.Pkg().Path()) || f.pkg.sites.Decodes(fn)
}

func (f *Func) builtin(s state, in ssa.CallInstruction, name string) {
	v, _ := in.(*ssa.Call)
	args := in.Common().Args
	switch {
	case name == "append" && v != nil:
		bits := f.known(s, args[0])
		if len(args) > 1 {
			bits &= f.known(s, args[1])
		}
		if bits &= Both; bits != 0 {
			s.set(f.places.root(v), bits|fresh)
		}
	case name == "copy":
		bits := f.known(s, args[1])
		for p := f.places.of(args[0]); p != nil; p = p.parent {
			if have, ok := s.facts[p]; ok {
				s.set(p, have&(bits|fresh))
			}
		}
	case (name == "min" || name == "max") && v != nil:
		bits := Both
		for _, a := range args {
			bits &= f.known(s, a)
		}
		s.set(f.places.root(v), bits)
	}
}
