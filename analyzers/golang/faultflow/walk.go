package faultflow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// outcome is how a path ends.
type outcome int

const (
	kept        outcome = iota // handed to somebody, or the program stops
	returned                   // as an error of the function
	flattened                  // an error of its text alone goes on
	replaced                   // another error goes on
	silent                     // the function returns without it
	overwritten                // the call runs again and its result takes the place
)

// end is where and how a path ends.
type end struct {
	outcome outcome
	at      ssa.Instruction
	path    *path
}

// walk follows the fault of one source through its function.
type walk struct {
	e      *engine
	fn     *ssa.Function
	source ssa.Value // the call that is walked from; nil: a parameter
	seen   map[string]bool
	ends   []end
	open   []*path
}

// maxPaths bounds the work on one source. Behind it nothing is said: real
// functions stay far below, generated ones may not.
const maxPaths = 4000

// from walks on from the instruction behind a call, or from the entry.
func (e *engine) walk(fn *ssa.Function, source ssa.Value, start *path, index int) []end {
	w := &walk{e: e, fn: fn, source: source, seen: map[string]bool{}}
	w.through(start, index)
	for len(w.open) > 0 {
		p := w.open[0]
		w.open = w.open[1:]
		if key := p.key(); w.seen[key] {
			continue
		} else {
			w.seen[key] = true
		}
		if len(w.seen) > maxPaths {
			return nil
		}
		w.through(p, 0)
	}
	return w.ends
}

func (w *walk) finish(o outcome, at ssa.Instruction, p *path) bool {
	w.ends = append(w.ends, end{o, at, p})
	return true
}

// through follows a path to the end of its block.
func (w *walk) through(p *path, index int) {
	for _, instr := range p.block.Instrs[index:] {
		if w.step(p, instr) {
			return
		}
		if len(p.held) == 0 && len(p.flat) == 0 {
			w.finish(w.gone(p), instr, p)
			return
		}
	}
}

// gone judges a path on which the call runs again: nothing is lost where an
// earlier error of the same call is kept, the first one wins.
func (w *walk) gone(p *path) outcome {
	for v := range p.solid {
		earlier := w.e.tracer(func(x ssa.Value) *origin {
			if ex, ok := x.(*ssa.Extract); ok {
				x = ex.Tuple
			}
			if x == w.source {
				return &origin{}
			}
			return nil
		})
		if earlier.carries(v) != nil {
			return kept
		}
	}
	return overwritten
}

// step takes one instruction and reports whether the path ends there.
func (w *walk) step(p *path, instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Phi:
		return false // taken with the edge
	case *ssa.ChangeInterface:
		w.derive(p, instr, instr.X)
	case *ssa.ChangeType:
		w.derive(p, instr, instr.X)
	case *ssa.MakeInterface:
		w.derive(p, instr, instr.X)
	case *ssa.TypeAssert:
		w.derive(p, instr, instr.X)
	case *ssa.Extract:
		w.extract(p, instr)
	case *ssa.Slice:
		w.derive(p, instr, instr.X)
	case *ssa.Index:
		w.derive(p, instr, instr.X)
	case *ssa.Lookup:
		w.derive(p, instr, instr.X)
	case *ssa.Field:
		w.derive(p, instr, instr.X)
	case *ssa.UnOp:
		if root := variable(instr.X); instr.Op == token.MUL && root != nil {
			w.derive(p, instr, root)
		}
	case *ssa.Store:
		return w.store(p, instr)
	case *ssa.MapUpdate:
		return w.handOn(p, instr, instr.Value)
	case *ssa.Send:
		return w.handOn(p, instr, instr.X)
	case *ssa.Select:
		for _, s := range instr.States {
			if s.Send != nil && w.handOn(p, instr, s.Send) {
				return true
			}
		}
	case ssa.CallInstruction:
		return w.call(p, instr)
	case *ssa.Panic:
		return w.finish(kept, instr, p)
	case *ssa.Return:
		return w.leave(p, instr)
	case *ssa.If:
		w.branch(p, instr)
		return true
	case *ssa.Jump:
		w.push(p, p.block.Succs[0])
		return true
	}
	return false
}

// derive: what is made of x holds what x holds.
func (w *walk) derive(p *path, v, x ssa.Value) {
	known := p.held[x] || p.flat[x] != nil || p.solid[x]
	held, flat, solid := p.held[x], p.flat[x], p.solid[x]
	p.forget(v)
	if !known || !errorish(v.Type()) {
		return
	}
	if held {
		p.held[v] = true
	}
	if flat != nil {
		p.flat[v] = flat
	}
	if solid {
		p.solid[v] = true
	}
}

// extract takes from the source's results those that may be the fault, from
// others all.
func (w *walk) extract(p *path, v *ssa.Extract) {
	if v.Tuple != w.source || w.e.sourceCall(&v.Tuple.(*ssa.Call).Call, v.Index) != nil {
		w.derive(p, v, v.Tuple)
	}
}

// handOn ends a path whose error is given to somebody.
func (w *walk) handOn(p *path, at ssa.Instruction, v ssa.Value) bool {
	if p.held[v] {
		return w.finish(kept, at, p)
	}
	if p.flat[v] != nil {
		return w.finish(flattened, p.flat[v], p)
	}
	return false
}

func (w *walk) store(p *path, s *ssa.Store) bool {
	root := variable(s.Addr)
	if !p.held[s.Val] && p.flat[s.Val] == nil {
		if root == s.Addr {
			p.forget(root) // overwritten as a whole
		}
		return false
	}
	switch root := root.(type) {
	case *ssa.Alloc:
		if readByLiteral(root) && !isResult(w.fn, root) {
			return w.handOn(p, s, s.Val)
		}
		p.take(root, s.Val, p)
		return false
	case *ssa.FreeVar:
		if !readOutside(root) {
			return false
		}
	}
	return w.handOn(p, s, s.Val)
}

// leave judges a return.
func (w *walk) leave(p *path, r *ssa.Return) bool {
	if p.holdsAny(r.Results) {
		return w.finish(returned, r, p)
	}
	if at := p.flatOf(r.Results); at != nil {
		return w.finish(flattened, at, p)
	}
	for _, v := range r.Results {
		if !isError(v.Type()) {
			continue
		}
		if p.solid[v] {
			return w.finish(kept, r, p) // the run stops on another error
		}
		if w.e.made(v) {
			return w.finish(replaced, r, p)
		}
	}
	if p.keepsOther() || w.askedBefore(p) {
		return w.finish(kept, r, p)
	}
	return w.finish(silent, r, p)
}

// made reports whether a value is certainly an error: made on the spot, or a
// variable of the package level.
func (e *engine) made(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return true
	case *ssa.ChangeInterface:
		return e.made(v.X)
	case *ssa.Call:
		r := e.apis.of(callee(&v.Call))
		return r == roleFormat || r == roleFlatten
	case *ssa.UnOp:
		_, global := v.X.(*ssa.Global)
		return global && v.Op == token.MUL
	}
	return false
}

// push goes on along an edge.
func (w *walk) push(p *path, next *ssa.BasicBlock) {
	q := p.to(next)
	if at, ok := w.source.(ssa.Instruction); ok && next.Dominates(p.block) && next.Dominates(at.Block()) {
		q.looped = true
	}
	w.open = append(w.open, q)
}
