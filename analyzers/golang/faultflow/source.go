package faultflow

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// source is the root of the tracer: a result of a call that may be a fault, or
// a fault that is made here.
func (e *engine) source(v ssa.Value) *origin {
	switch v := v.(type) {
	case *ssa.Call:
		if v.Call.Signature().Results().Len() == 1 {
			return e.sourceCall(&v.Call, 0)
		}
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return e.sourceCall(&call.Call, v.Index)
		}
	case *ssa.MakeInterface:
		if obj := typeName(v.X.Type()); obj != nil && e.faulty(obj) {
			return &origin{guard: obj.Pkg().Name() + "." + obj.Name()}
		}
	case *ssa.UnOp:
		if g, ok := v.X.(*ssa.Global); ok && g.Object() != nil && e.faulty(g.Object()) {
			return &origin{guard: g.Object().Pkg().Name() + "." + g.Object().Name()}
		}
	}
	return nil
}

func (e *engine) sourceCall(c *ssa.CallCommon, result int) *origin {
	f := e.ofCall(c)
	if f == nil || !slices.Contains(f.Results, result) {
		return nil
	}
	return &origin{f.Guard, f.Via}
}

// ofCall says which results of a call may be a fault.
func (e *engine) ofCall(c *ssa.CallCommon) *MayFault {
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return nil
	}
	if c.IsInvoke() {
		if f := e.ofDeclared(c.Method); f != nil {
			return f
		}
	} else if fn := c.StaticCallee(); fn != nil {
		if f := e.ofFunction(fn); f != nil {
			return f
		}
		if len(fn.Blocks) > 0 {
			return e.ofArguments(c, false)
		}
	}
	return e.ofArguments(c, true)
}

// ofArguments: a call that is given a function which may fault, and returns an
// error, is taken to return that one: retry, walk, transaction, errgroup.
func (e *engine) ofArguments(c *ssa.CallCommon, receiver bool) *MayFault {
	results := errorResults(c.Signature())
	if len(results) == 0 {
		return nil
	}
	for i, arg := range arguments(c) {
		o := e.given(arg)
		if o == nil && i == 0 && receiver {
			o = e.pools[arg]
		}
		if o != nil {
			return &MayFault{Results: results, Guard: o.guard, Via: o.via}
		}
	}
	return nil
}

func (e *engine) ofFunction(fn *ssa.Function) *MayFault {
	if f := e.may[fn]; f != nil {
		return f
	}
	if o := fn.Origin(); o != nil && e.may[o] != nil {
		return e.may[o]
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		return e.ofDeclared(obj.Origin())
	}
	return nil
}

func (e *engine) ofDeclared(fn *types.Func) *MayFault {
	if fn.Pkg() == e.pass.Pkg {
		if f := e.iface[fn]; f != nil {
			return f
		}
		if s := e.byFunc[fn]; s != nil {
			return e.may[s]
		}
		return nil
	}
	var f MayFault
	if e.pass.ImportObjectFact(fn, &f) {
		return &f
	}
	return nil
}

// faultOfCall answers for a call in source.
func (e *engine) faultOfCall(call *ast.CallExpr) (*MayFault, bool) {
	fn, ok := typeutil.Callee(e.pass.TypesInfo, call).(*types.Func)
	if !ok {
		return nil, false
	}
	f := e.ofDeclared(fn.Origin())
	return f, f != nil
}

// faulty reports whether a type or variable stands for faults.
func (e *engine) faulty(obj types.Object) bool {
	if is, ok := e.known[obj]; ok {
		return is
	}
	is := e.pass.ImportObjectFact(obj, &Faulty{})
	e.known[obj] = is
	return is
}

// typeName is the declared type behind t or the pointer t.
func typeName(t types.Type) types.Object {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj()
	}
	return nil
}
