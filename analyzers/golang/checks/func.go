package checks

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Func is the analysis of one function.
type Func struct {
	pkg    *Package
	fn     *ssa.Function
	places *places
	entry  state
	out    []state // by block; at its end
	done   []bool  // by block: out is set
	in     []state
	asking map[*ssa.Phi]bool // what follows from a phi is being asked
}

// maxRounds bounds the way to a fixed point: each round settles one more level
// of nested loops, and nobody nests fifty.
const maxRounds = 50

// solve runs the analysis to its fixed point. It starts from "everything is
// known", so that a fact which holds around a loop is not lost to the loop.
func (f *Func) solve() {
	n := len(f.fn.Blocks)
	f.out, f.in, f.done = make([]state, n), make([]state, n), make([]bool, n)
	order := reversePostorder(f.fn)
	for range maxRounds {
		changed := false
		for _, b := range order {
			in := f.enter(b)
			s := in.clone()
			for _, instr := range b.Instrs {
				f.step(s, instr)
				if f.pkg.ends(instr) {
					s = state{dead: true}
					break
				}
			}
			if !f.done[b.Index] || !equal(s, f.out[b.Index]) {
				f.out[b.Index], f.done[b.Index], changed = s, true, true
			}
			f.in[b.Index] = in
		}
		if !changed {
			return
		}
	}
	// It did not settle, which no real code has brought about: nothing is known.
	for i := range f.in {
		f.in[i], f.out[i], f.done[i] = state{facts: map[*Place]Bits{}}, state{facts: map[*Place]Bits{}}, true
	}
}

// enter joins what the paths into a block know.
func (f *Func) enter(b *ssa.BasicBlock) state {
	if len(b.Preds) == 0 {
		return f.entry.clone()
	}
	var ends []state
	var from []int
	for i, p := range b.Preds {
		if f.done[p.Index] {
			ends, from = append(ends, f.edge(p, b)), append(from, i)
		}
	}
	if len(ends) == 0 {
		return state{dead: true}
	}
	in := ends[0].clone()
	for _, s := range ends[1:] {
		in = meet(in, s)
	}
	// What is named after a phi of this block is of the round before.
	phis := map[*ssa.Phi]Bits{}
	for _, instr := range b.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		bits, isFresh := Both|Nil, Bits(0)
		for k, i := range from {
			if ends[k].dead || phi.Edges[i] == phi {
				continue
			}
			bits &= f.known(ends[k], phi.Edges[i])
			isFresh |= ends[k].facts[f.places.of(phi.Edges[i])] & fresh
		}
		if bits != 0 {
			bits |= isFresh
		}
		phis[phi] = bits
	}
	for phi := range phis {
		if f.places.used[phi] {
			in.define(phi)
		}
	}
	for phi, bits := range phis {
		in.set(f.places.root(phi), bits)
	}
	return in
}

// edge is what is known on the way from one block to the next.
func (f *Func) edge(p, b *ssa.BasicBlock) state {
	s := f.out[p.Index]
	if s.dead {
		return s
	}
	if cond, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If); ok && p.Succs[0] != p.Succs[1] {
		s = s.clone()
		f.assume(s, cond.Cond, p.Succs[0] == b, p)
		if p.Succs[1] == b {
			f.leaveLoop(s, cond.Cond, p)
		}
	}
	return s
}

// step takes one instruction into account.
func (f *Func) step(s state, instr ssa.Instruction) {
	if v, ok := instr.(ssa.Value); ok && f.places.used[v] {
		if _, isPhi := instr.(*ssa.Phi); !isPhi { // those at the start of the block
			s.define(v)
		}
	}
	switch in := instr.(type) {
	case *ssa.Alloc:
		if holdsIDs(in.Type().Underlying().(*types.Pointer).Elem(), 0) {
			s.set(f.places.root(in), Both|Nil|fresh)
		}
	case *ssa.MakeSlice:
		s.set(f.places.root(in), Both|fresh)
	case *ssa.Store:
		f.store(s, in)
	case *ssa.MakeClosure:
		f.capture(s, in)
	case ssa.CallInstruction:
		f.call(s, in)
	}
}

// holdsIDs reports whether a variable of a type can hold ids, or an error; what
// cannot is not followed.
func holdsIDs(t types.Type, depth int) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if depth < 3 && holdsIDs(u.Field(i).Type(), depth+1) {
				return true
			}
		}
		return false
	case *types.Slice:
		return holdsIDs(u.Elem(), depth)
	case *types.Array:
		return holdsIDs(u.Elem(), depth)
	}
	return isInteger(t) || isError(t)
}

// store writes a place. An element that is written is one of its list: the
// list stays checked when the element is.
func (f *Func) store(s state, in *ssa.Store) {
	bits := f.known(s, in.Val)
	at := f.places.at(in.Addr)
	if _, ok := in.Addr.(*ssa.IndexAddr); ok {
		s.forget(at)
		for list := at.parent; list != nil; list = list.parent {
			if have, ok := s.facts[list]; ok {
				s.set(list, have&(bits|fresh))
			}
		}
		s.add(at, bits)
		return
	}
	isFresh := s.facts[f.places.of(in.Val)] & fresh
	s.forget(at)
	if bits != 0 {
		s.set(at, bits|isFresh)
	}
	for up := at.parent; up != nil; up = up.parent { // a field of a struct in a list
		if have, ok := s.facts[up]; ok {
			s.set(up, have&(bits|fresh|Nil))
		}
	}
}

// capture forgets the variables that a closure writes.
func (f *Func) capture(s state, in *ssa.MakeClosure) {
	fn, ok := in.Fn.(*ssa.Function)
	if !ok {
		return
	}
	for i, free := range fn.FreeVars {
		if writes(free) {
			s.forget(f.places.at(in.Bindings[i]))
		}
	}
}

func writes(free *ssa.FreeVar) bool {
	for _, ref := range *free.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == free {
				return true
			}
		case *ssa.MakeClosure:
			return true // of a closure in the closure: not followed
		}
	}
	return false
}

// Before returns the state in front of an instruction.
func (f *Func) before(instr ssa.Instruction) state {
	b := instr.Block()
	s := f.in[b.Index].clone()
	for _, in := range b.Instrs {
		if in == instr {
			break
		}
		f.step(s, in)
	}
	return s
}

// reversePostorder has the body of a loop before what follows the loop, so that
// what the loop proves is known when it is first asked for: a second loop behind
// it would carry the lack of it around for ever.
func reversePostorder(fn *ssa.Function) []*ssa.BasicBlock {
	seen := make([]bool, len(fn.Blocks))
	var order []*ssa.BasicBlock
	var visit func(*ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		seen[b.Index] = true
		for i := len(b.Succs) - 1; i >= 0; i-- {
			if next := b.Succs[i]; !seen[next.Index] {
				visit(next)
			}
		}
		order = append(order, b)
	}
	visit(fn.Blocks[0])
	if fn.Recover != nil && !seen[fn.Recover.Index] {
		visit(fn.Recover)
	}
	for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// leaveLoop takes note of a loop over a list that has come to its end: what
// every way through its body checks of the element is checked of the list.
func (f *Func) leaveLoop(s state, cond ssa.Value, head *ssa.BasicBlock) {
	less, ok := cond.(*ssa.BinOp)
	if !ok || less.Op != token.LSS {
		return
	}
	list := f.lengthOf(less.Y)
	switch {
	case list == nil:
		return
	case isConst(less.X, 0):
		s.add(list, Both) // it is empty
		return
	}
	if index := rangesOver(less.X, head); index != nil { // for i := range len(list)
		f.everyElement(s, list, f.element(f.out[head.Index], f.places.part(list, "[]", index), nil))
		return
	}
	if !f.countsFromZero(less.X, head) {
		return
	}
	elem := f.places.part(list, "[]", less.X)
	var common map[*Place]Bits // what all ways through the body know of the element and its parts
	for _, p := range head.Preds {
		if !head.Dominates(p) || !f.done[p.Index] {
			continue
		}
		back := f.out[p.Index]
		if p != head {
			back = f.edge(p, head)
		}
		if !back.dead {
			common = f.element(back, elem, common)
		}
	}
	f.everyElement(s, list, common)
}

// everyElement takes what is known of an element, whichever it is, and of its
// parts as known of all.
func (f *Func) everyElement(s state, list *Place, known map[*Place]Bits) {
	for p, bits := range known {
		if p.parent == list {
			s.add(list, bits)
		} else if p.every != nil {
			s.add(p.every, bits)
		}
	}
}

// rangesOver returns the counter of a loop over a number, whose condition
// stands at its end: the next one is held against the number there.
func rangesOver(next ssa.Value, end *ssa.BasicBlock) ssa.Value {
	add, ok := next.(*ssa.BinOp)
	if !ok || add.Op != token.ADD || !isConst(add.Y, 1) {
		return nil
	}
	counter, ok := add.X.(*ssa.Phi)
	if !ok || counter.Block() != end.Succs[0] || !counter.Block().Dominates(end) {
		return nil
	}
	for i, p := range counter.Block().Preds {
		if e := counter.Edges[i]; p == end && e != next || p != end && !isConst(e, 0) {
			return nil
		}
	}
	return counter
}

// element is what a state knows of an element and its parts, as far as common
// knows it too; nil: of all states.
func (f *Func) element(s state, elem *Place, common map[*Place]Bits) map[*Place]Bits {
	out := map[*Place]Bits{}
	if common == nil {
		out[elem] = s.holds(elem) & Both
		for p := range s.facts {
			if p.within(elem) {
				out[p] = s.holds(p) & Both
			}
		}
		return out
	}
	for p, bits := range common {
		out[p] = bits & s.holds(p)
	}
	return out
}

// countsFromZero reports whether an index starts with the first element and
// goes up by one.
func (f *Func) countsFromZero(v ssa.Value, head *ssa.BasicBlock) bool {
	first := int64(0)
	phi, ok := v.(*ssa.Phi)
	if add, isAdd := v.(*ssa.BinOp); isAdd && add.Op == token.ADD && isConst(add.Y, 1) { // for i := range list
		phi, ok = add.X.(*ssa.Phi)
		first = -1
	}
	if !ok || phi.Block() != head {
		return false
	}
	for i, p := range head.Preds {
		e := phi.Edges[i]
		if head.Dominates(p) {
			add, ok := e.(*ssa.BinOp)
			if !ok || add.Op != token.ADD || add.X != phi || !isConst(add.Y, 1) {
				return false
			}
		} else if !isConst(e, first) {
			return false
		}
	}
	return true
}

func isConst(v ssa.Value, n int64) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && isInteger(c.Type()) && c.Int64() == n
}

// lengthOf returns the list whose length a value is.
func (f *Func) lengthOf(v ssa.Value) *Place {
	call, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
		return f.places.of(call.Call.Args[0])
	}
	return nil
}

var errorType = types.Universe.Lookup("error").Type()

func isError(t types.Type) bool { return types.Identical(t, errorType) }
