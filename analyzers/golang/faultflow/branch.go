package faultflow

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// answer is what a condition says of the error that a path holds.
type answer struct {
	yes, no bool      // that edge can be taken with the fault still at hand
	text    bool      // it looks at the error's text
	null    bool      // it is the test of the error against nil
	solid   ssa.Value // another error, not nil on the edge of solidOn
	solidOn bool
	also    ssa.Value // variable that holds the fault on the yes edge: the target of errors.As
}

var both = answer{yes: true, no: true}

func (a answer) not() answer {
	a.yes, a.no, a.solidOn = a.no, a.yes, !a.solidOn
	return a
}

// branch pushes the edges of an if that the fault can go along.
func (w *walk) branch(p *path, instr *ssa.If) {
	a := w.ask(p, instr.Cond)
	q := *p
	if a.null && q.handler == nil {
		q.handler = instr
	}
	if a.text && q.text == nil {
		q.text = textTest(instr)
	}
	for i, open := range []bool{a.yes, a.no} {
		if !open {
			continue
		}
		edge := q.clone()
		if a.solid != nil && a.solidOn == (i == 0) {
			edge.solid[a.solid] = true
			if load, ok := a.solid.(*ssa.UnOp); ok && variable(load.X) == load.X {
				edge.solid[load.X] = true // until somebody writes there
			}
		}
		if a.also != nil && i == 0 {
			edge.held[a.also] = true
		}
		w.push(edge, instr.Block().Succs[i])
	}
}

func textTest(instr *ssa.If) ssa.Instruction {
	if cond, ok := instr.Cond.(ssa.Instruction); ok {
		return cond
	}
	return instr
}

func (w *walk) ask(p *path, cond ssa.Value) answer {
	switch cond := cond.(type) {
	case *ssa.UnOp:
		if cond.Op == token.NOT {
			return w.ask(p, cond.X).not()
		}
	case *ssa.BinOp:
		return w.compare(p, cond)
	case *ssa.Call:
		return w.askCall(p, &cond.Call)
	case *ssa.Extract:
		return w.askExtract(p, cond)
	}
	return both
}

func (w *walk) compare(p *path, b *ssa.BinOp) answer {
	x, y := b.X, b.Y
	if k, ok := x.(*ssa.Const); ok && k.IsNil() {
		x, y = y, x
	}
	var a answer
	switch k, isConst := y.(*ssa.Const); {
	case isConst && k.IsNil() && isNilable(x.Type()):
		a = w.isNil(p, x)
	case isConst && w.isLength(p, x):
		return countTest(b.Op, k)
	case p.held[x] || p.held[y]:
		a = w.isSentinel(p, x, y)
	default:
		a = both
		a.text = isText(x.Type()) && (w.e.textual(p, x, 0) || w.e.textual(p, y, 0))
	}
	switch b.Op {
	case token.EQL:
		return a
	case token.NEQ:
		return a.not()
	}
	return both
}

func isNilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Interface, *types.Pointer, *types.Slice, *types.Map:
		return true
	}
	return false
}

// isNil answers x == nil.
func (w *walk) isNil(p *path, x ssa.Value) answer {
	k, isConst := x.(*ssa.Const)
	switch {
	case isConst && k.IsNil():
		return answer{yes: true} // a result that nobody has written to
	case p.held[x]:
		return answer{no: true, null: true}
	case p.flat[x] != nil, p.solid[x]:
		return answer{no: true}
	case isError(x.Type()):
		return answer{yes: true, no: true, solid: x, solidOn: false}
	}
	return both
}

// isLength reports whether x counts a list that holds the error.
func (w *walk) isLength(p *path, x ssa.Value) bool {
	c, ok := x.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := c.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "len" && p.holdsAny(c.Call.Args)
}

// countTest answers a comparison of a length that is at least 1.
func countTest(op token.Token, k *ssa.Const) answer {
	if k.Value == nil || k.Value.Kind() != constant.Int {
		return both
	}
	n := k.Int64()
	switch {
	case op == token.EQL && n == 0, op == token.LEQ && n == 0, op == token.LSS && n == 1:
		return answer{no: true}
	case op == token.NEQ && n == 0, op == token.GTR && n == 0, op == token.GEQ && n == 1:
		return answer{yes: true}
	}
	return both
}

// isSentinel answers err == io.EOF.
func (w *walk) isSentinel(p *path, x, y ssa.Value) answer {
	if p.held[x] && p.held[y] {
		return both
	}
	if p.held[y] {
		y = x
	}
	return w.kind(w.e.standsFor(y))
}

// kind is the answer to "is it one of these?": a fault is one, or is none.
func (w *walk) kind(fault, known bool) answer {
	switch {
	case !known:
		return both
	case fault:
		return answer{yes: true}
	}
	return answer{no: true}
}

// standsFor says whether a value that errors are compared with stands for
// faults; known is false where its declaration is not seen.
func (e *engine) standsFor(v ssa.Value) (fault, known bool) {
	switch v := v.(type) {
	case *ssa.UnOp:
		if g, ok := v.X.(*ssa.Global); ok && v.Op == token.MUL && g.Object() != nil {
			return e.faulty(g.Object()), true
		}
	case *ssa.MakeInterface:
		return e.faultyType(v.X.Type()), true
	case *ssa.ChangeInterface:
		return e.standsFor(v.X)
	case *ssa.Const:
		return false, true // nil
	}
	return false, false
}

func (e *engine) faultyType(t types.Type) bool {
	obj := typeName(t)
	return obj != nil && e.faulty(obj)
}

// askCall answers a call in a condition: a test of the error's type, a
// predicate, a look at its text.
func (w *walk) askCall(p *path, c *ssa.CallCommon) answer {
	fn := callee(c)
	held := p.holdsAny(arguments(c))
	switch {
	case held && isErrorsTest(fn) && fn.Name() == "Is" && len(c.Args) == 2:
		return w.kind(w.e.standsFor(c.Args[1]))
	case held && isErrorsTest(fn) && fn.Name() == "As" && len(c.Args) == 2:
		return w.askAs(c.Args[1])
	case held:
		return w.e.predicate(c, p, w)
	case w.e.hasText(p, c):
		a := both
		a.text = true
		return a
	}
	return both
}

// askAs answers errors.As(err, &target), whose target holds the error then.
func (w *walk) askAs(target ssa.Value) answer {
	if m, ok := target.(*ssa.MakeInterface); ok {
		target = m.X
	}
	ptr, ok := target.Type().Underlying().(*types.Pointer)
	if !ok {
		return both
	}
	if types.IsInterface(ptr.Elem()) && !w.e.faultyType(ptr.Elem()) {
		return both // an interface: a fault may have its methods
	}
	a := w.kind(w.e.faultyType(ptr.Elem()), true)
	a.also = variable(target)
	return a
}

// askExtract answers the second result of a type assertion or errors.AsType.
func (w *walk) askExtract(p *path, x *ssa.Extract) answer {
	switch t := x.Tuple.(type) {
	case *ssa.TypeAssert:
		if p.held[t.X] && !types.IsInterface(t.AssertedType) {
			return w.kind(w.e.faultyType(t.AssertedType), true)
		}
	case *ssa.Call:
		fn := callee(&t.Call)
		if isErrorsTest(fn) && fn.Name() == "AsType" && p.holdsAny(t.Call.Args) {
			if typ := t.Call.Signature().Results().At(0).Type(); !types.IsInterface(typ) {
				return w.kind(w.e.faultyType(typ), true)
			}
		}
	}
	return both
}
