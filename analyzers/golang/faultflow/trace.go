package faultflow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// tracer answers, looking backwards from a value, whether it may hold a fault
// as an error: one of the roots, or what was made of one.
type tracer struct {
	e    *engine
	root func(ssa.Value) *origin
	seen map[ssa.Value]bool
}

func (e *engine) tracer(root func(ssa.Value) *origin) *tracer {
	return &tracer{e: e, root: root, seen: map[ssa.Value]bool{}}
}

func (t *tracer) carries(v ssa.Value) *origin {
	if v == nil || t.seen[v] {
		return nil
	}
	t.seen[v] = true
	if o := t.root(v); o != nil {
		return o
	}
	if !errorish(v.Type()) {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Phi:
		return t.any(v.Edges...)
	case *ssa.ChangeInterface:
		return t.carries(v.X)
	case *ssa.ChangeType:
		return t.carries(v.X)
	case *ssa.MakeInterface:
		return t.carries(v.X)
	case *ssa.TypeAssert:
		return t.carries(v.X)
	case *ssa.Extract:
		return t.carries(v.Tuple)
	case *ssa.Slice:
		return t.carries(v.X)
	case *ssa.Index:
		return t.carries(v.X)
	case *ssa.Lookup:
		return t.carries(v.X)
	case *ssa.Field:
		return t.field(v.X.Type(), v.Field)
	case *ssa.UnOp:
		return t.unary(v)
	case *ssa.Alloc:
		return t.content(v)
	case *ssa.Call:
		return t.result(v)
	}
	return nil
}

func (t *tracer) any(list ...ssa.Value) *origin {
	for _, v := range list {
		if o := t.carries(v); o != nil {
			return o
		}
	}
	return nil
}

func (t *tracer) unary(v *ssa.UnOp) *origin {
	switch v.Op {
	case token.MUL:
		return t.loaded(v.X)
	case token.ARROW:
		return t.sent(v)
	}
	return nil
}

// loaded answers for what lies at an address.
func (t *tracer) loaded(addr ssa.Value) *origin {
	switch a := addr.(type) {
	case *ssa.Alloc:
		return t.content(a)
	case *ssa.FreeVar:
		if b := binding(a); b != nil {
			return t.loaded(b)
		}
	case *ssa.FieldAddr:
		if o := t.field(a.X.Type().Underlying().(*types.Pointer).Elem(), a.Field); o != nil {
			return o
		}
		return t.loaded(a.X)
	case *ssa.IndexAddr:
		if base, ok := a.X.(*ssa.Alloc); ok {
			return t.content(base)
		}
		return t.carries(a.X)
	}
	return nil
}

// content answers for a variable: what is stored into it here, or into a field
// or element of it, or by a closure that has captured it.
func (t *tracer) content(addr ssa.Value) *origin {
	refs := addr.Referrers()
	if refs == nil {
		return nil
	}
	for _, ref := range *refs {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == addr {
				if o := t.carries(ref.Val); o != nil {
					return o
				}
			}
		case *ssa.FieldAddr:
			if o := t.content(ref); o != nil {
				return o
			}
		case *ssa.IndexAddr:
			if o := t.content(ref); o != nil {
				return o
			}
		case *ssa.MakeClosure:
			if free := captured(ref, addr); free != nil {
				if o := t.content(free); o != nil {
					return o
				}
			}
		}
	}
	return nil
}

// field answers by what the package anywhere stores into that field.
func (t *tracer) field(of types.Type, index int) *origin {
	s, ok := of.Underlying().(*types.Struct)
	if !ok || index >= s.NumFields() {
		return nil
	}
	return t.e.fields[s.Field(index)]
}

// sent answers for a receive: any send of such an error in the same family of
// functions, a declared function and its literals.
func (t *tracer) sent(v *ssa.UnOp) *origin {
	for _, fn := range family(v.Parent()) {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if s, ok := instr.(*ssa.Send); ok && types.Identical(s.Chan.Type().Underlying().(*types.Chan).Elem(), v.Type()) {
					if o := t.carries(s.X); o != nil {
						return o
					}
				}
			}
		}
	}
	return nil
}

// result answers for a call that is no source itself: what becomes of an error
// that is handed to it.
func (t *tracer) result(call *ssa.Call) *origin {
	c := &call.Call
	if b, ok := c.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" {
			return t.any(c.Args...)
		}
		return nil
	}
	switch t.e.apis.of(callee(c)) {
	case roleFormat:
		return t.any(wrapped(c)...)
	case roleFlatten, roleLog, roleExit, roleText, roleTest:
		return nil
	}
	for i, arg := range arguments(c) {
		if fn := c.StaticCallee(); fn != nil && len(fn.Blocks) > 0 && i < len(fn.Params) && !t.e.passes(fn, i) {
			continue
		}
		if o := t.carries(arg); o != nil {
			return o
		}
	}
	return nil
}

// arguments are the values that a call is given, the receiver first.
func arguments(c *ssa.CallCommon) []ssa.Value {
	if c.IsInvoke() {
		return append([]ssa.Value{c.Value}, c.Args...)
	}
	return c.Args
}

// callee is the declared function or interface method that is called.
func callee(c *ssa.CallCommon) *types.Func {
	if c.IsInvoke() {
		return c.Method
	}
	if fn := c.StaticCallee(); fn != nil {
		if obj, ok := fn.Object().(*types.Func); ok {
			return obj.Origin()
		}
		if o := fn.Origin(); o != nil {
			if obj, ok := o.Object().(*types.Func); ok {
				return obj
			}
		}
	}
	return nil
}

// binding is the variable of the enclosing function that a literal captured.
func binding(free *ssa.FreeVar) ssa.Value {
	fn := free.Parent()
	for i, f := range fn.FreeVars {
		if f != free || fn.Parent() == nil {
			continue
		}
		for _, b := range fn.Parent().Blocks {
			for _, instr := range b.Instrs {
				if m, ok := instr.(*ssa.MakeClosure); ok && m.Fn == fn && i < len(m.Bindings) {
					return m.Bindings[i]
				}
			}
		}
	}
	return nil
}

// captured is the variable of the literal behind which addr lies.
func captured(m *ssa.MakeClosure, addr ssa.Value) *ssa.FreeVar {
	fn, ok := m.Fn.(*ssa.Function)
	if !ok {
		return nil
	}
	for i, b := range m.Bindings {
		if b == addr && i < len(fn.FreeVars) {
			return fn.FreeVars[i]
		}
	}
	return nil
}

// family is the declared function around fn with all its literals.
func family(fn *ssa.Function) []*ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return withLiterals(nil, fn)
}

func withLiterals(list []*ssa.Function, fn *ssa.Function) []*ssa.Function {
	list = append(list, fn)
	for _, lit := range fn.AnonFuncs {
		list = withLiterals(list, lit)
	}
	return list
}
