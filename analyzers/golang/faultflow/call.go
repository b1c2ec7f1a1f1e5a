package faultflow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// call takes a call, go or defer and reports whether the path ends there.
func (w *walk) call(p *path, instr ssa.CallInstruction) bool {
	c := instr.Common()
	value, _ := instr.(ssa.Value)
	if value != nil && value == w.source {
		p.dropSource(value)
		return false
	}
	held, flat := p.holdsAny(arguments(c)), p.flatOf(arguments(c))
	if value != nil {
		p.forget(value)
	}
	fn := callee(c)
	if value != nil && joinsSolid(p, c, fn) {
		p.solid[value] = true
	}
	if w.again(c) {
		return w.finish(kept, instr, p) // the later answer holds it
	}
	r := w.e.apis.of(fn)
	if r == roleExit || w.e.neverReturns(c) {
		return w.finish(kept, instr, p)
	}
	texts := w.e.hasText(p, c)
	if (held || texts || p.handler != nil) && w.answers(c) {
		return w.finish(kept, instr, p)
	}
	if !held && flat == nil && !texts {
		return false
	}
	switch r {
	case roleLog, roleText:
		return false
	case roleTest:
		return w.finish(kept, instr, p)
	case roleFormat, roleFlatten:
		w.format(p, instr, r)
		return false
	}
	if flat != nil && !held {
		return w.passFlat(p, instr, flat)
	}
	return held && w.passHeld(p, instr, fn)
}

// answers reports whether a call tells a client, as an HTTP handler does. In
// the handler of the error any such call counts, whatever it says.
func (w *walk) answers(c *ssa.CallCommon) bool {
	for _, arg := range arguments(c) {
		if ct, ok := arg.(*ssa.ChangeInterface); ok {
			arg = ct.X
		}
		if w.e.apis.told(arg.Type()) {
			return true
		}
	}
	return false
}

// format: what %w names is kept, the rest is text.
func (w *walk) format(p *path, instr ssa.CallInstruction, r role) {
	value, _ := instr.(ssa.Value)
	if value == nil {
		return
	}
	keeps := wrapped(instr.Common())
	switch {
	case r == roleFormat && p.holdsAny(keeps):
		p.held[value] = true
	case r == roleFormat && p.flatOf(keeps) != nil:
		p.flat[value] = p.flatOf(keeps)
	default:
		p.flat[value] = instr
	}
}

// passFlat: an error that is only text goes on.
func (w *walk) passFlat(p *path, instr ssa.CallInstruction, at ssa.Instruction) bool {
	value, _ := instr.(ssa.Value)
	if value != nil && errorish(value.Type()) {
		p.flat[value] = at
		return false
	}
	if inert(instr.Common()) {
		return false
	}
	return w.finish(flattened, at, p)
}

// passHeld: the error itself is an argument.
func (w *walk) passHeld(p *path, instr ssa.CallInstruction, fn *types.Func) bool {
	c := instr.Common()
	value, _ := instr.(ssa.Value)
	if b, ok := c.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" && value != nil {
			p.held[value] = true
		}
		return false
	}
	if isErrorsTest(fn) {
		if value != nil && errorish(value.Type()) {
			p.held[value] = true // errors.AsType, errors.Unwrap
		}
		return false
	}
	if s := w.e.summaryOf(c, p); s != nil {
		return w.apply(p, instr, s)
	}
	if value != nil && errorish(value.Type()) {
		p.held[value] = true
		return false
	}
	if inert(c) {
		return false
	}
	return w.finish(kept, instr, p)
}

// apply does what a function of this package does with the error.
func (w *walk) apply(p *path, instr ssa.CallInstruction, s *summary) bool {
	value, _ := instr.(ssa.Value)
	switch {
	case s.carries && value != nil:
		p.held[value] = true
	case s.flattens && value != nil && errorish(value.Type()):
		p.flat[value] = instr
	case s.keeps && !s.loses:
		return w.finish(kept, instr, p)
	}
	return false
}

// inert reports whether a call that is given an error answers a question of
// it: whether it is one of its kind, how it reads, which code it stands for.
func inert(c *ssa.CallCommon) bool {
	if yields(c) {
		return false
	}
	results := c.Signature().Results()
	for v := range results.Variables() {
		if _, basic := v.Type().Underlying().(*types.Basic); !basic {
			return false
		}
	}
	return results.Len() > 0
}

// yields reports whether a call hands its arguments to who ranges over the
// function around it: an iterator takes one function and gives nothing. What that
// function answers is whether to go on.
func yields(c *ssa.CallCommon) bool {
	switch c.Value.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.UnOp: // in the bodies of loops over other iterators it is captured
	default:
		return false
	}
	for fn := c.Value.Parent(); fn != nil; fn = fn.Parent() {
		takes := fn.Signature.Params()
		if fn.Signature.Results().Len() == 0 && takes.Len() == 1 && types.Identical(takes.At(0).Type(), c.Value.Type()) {
			return true
		}
	}
	return false
}

// isErrorsTest reports whether fn looks at an error without taking it.
func isErrorsTest(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch fn.Name() {
	case "Is", "As", "AsType", "Unwrap":
		return fn.Signature().Recv() == nil && fn.Signature().Params().Len() > 0 && isError(fn.Signature().Params().At(0).Type())
	}
	return false
}

// neverReturns reports whether the called function of this package ends the
// program on every path.
func (e *engine) neverReturns(c *ssa.CallCommon) bool {
	fn := c.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 || fn.Pkg == nil || fn.Pkg.Pkg != e.pass.Pkg || fn.Signature.Results().Len() > 0 {
		return false
	}
	return !e.comesBack(fn, map[*ssa.Function]bool{})
}

// comesBack looks for a return that is reached without an exit before it.
func (e *engine) comesBack(fn *ssa.Function, open map[*ssa.Function]bool) bool {
	if open[fn] {
		return true
	}
	open[fn] = true
	seen := map[*ssa.BasicBlock]bool{}
	var visit func(*ssa.BasicBlock) bool
	visit = func(b *ssa.BasicBlock) bool {
		if seen[b] {
			return false
		}
		seen[b] = true
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Return:
				return true
			case *ssa.Call:
				if e.apis.of(callee(&instr.Call)) == roleExit {
					return false
				}
				if next := instr.Call.StaticCallee(); next != nil && len(next.Blocks) > 0 && next.Signature.Results().Len() == 0 && !e.comesBack(next, open) {
					return false
				}
			}
		}
		for _, next := range b.Succs {
			if visit(next) {
				return true
			}
		}
		return false
	}
	return visit(fn.Blocks[0])
}
