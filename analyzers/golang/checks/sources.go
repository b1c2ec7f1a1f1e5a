package checks

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/trainvet/trainvet/analyzers/golang/sites"
)

// Sources are where the numbers of a value come from, as far as this function
// shows: through conversions, copies, loops that fill a list, and appends.
type Sources struct {
	Ends    []Source
	Narrows []*ssa.Convert // conversions on the way that can make another number
}

// Source is where the way back ends.
type Source struct {
	Value  ssa.Value // constant, parameter, free variable, call, global, counter of a loop, other
	At     *Place    // of the value, or of the field that was read
	Path   string    // fields between the value and At, as in ".2"
	Chosen bool      // by a comparison of floating-point numbers on the way: an argmax
}

// Sources follows a value back.
func (f *Func) Sources(v ssa.Value) Sources {
	t := tracer{f: f, seen: map[ssa.Value]bool{}, ends: map[*Place]bool{}}
	t.value(v)
	return t.out
}

type tracer struct {
	f      *Func
	seen   map[ssa.Value]bool
	ends   map[*Place]bool
	chosen bool
	out    Sources
}

func (t *tracer) end(v ssa.Value, at *Place) {
	if t.ends[at] {
		return
	}
	t.ends[at] = true
	path := ""
	for p := at; p.parent != nil; p = p.parent {
		if p.step != "[]" && p.step != "[:]" && p.step[0] != '[' && p.step != "narrow" {
			path = p.step + path
		}
	}
	t.out.Ends = append(t.out.Ends, Source{v, at, path, t.chosen})
}

func (t *tracer) value(v ssa.Value) {
	if t.seen[v] {
		return
	}
	t.seen[v] = true
	switch v := v.(type) {
	case *ssa.Convert:
		if Narrows(v) {
			t.out.Narrows = append(t.out.Narrows, v)
		}
		t.value(v.X)
	case *ssa.ChangeType:
		t.value(v.X)
	case *ssa.MakeInterface:
		t.value(v.X)
	case *ssa.ChangeInterface:
		t.value(v.X)
	case *ssa.TypeAssert:
		t.value(v.X)
	case *ssa.Phi:
		t.phi(v)
	case *ssa.BinOp:
		t.value(v.X)
		t.value(v.Y)
	case *ssa.Slice:
		t.container(v.X)
	case *ssa.MakeSlice, *ssa.Alloc:
		t.made(v)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			t.load(v.X)
		} else {
			t.value(v.X)
		}
	case *ssa.Call:
		t.call(v)
	case *ssa.Extract:
		if next, ok := v.Tuple.(*ssa.Next); ok {
			if r, ok := next.Iter.(*ssa.Range); ok {
				t.value(r.X)
				return
			}
		}
		t.end(v, t.f.places.of(v))
	default:
		p := t.f.places.of(v)
		t.end(p.Root(), p)
	}
}

// phi follows what a variable may hold. One that counts a loop is an end: the
// host counts. One that takes another's number where floating-point numbers
// compare so is an argmax, and as good as the numbers.
func (t *tracer) phi(v *ssa.Phi) {
	if counts(v) {
		t.end(v, t.f.places.root(v))
		return
	}
	before := t.chosen
	t.chosen = t.chosen || isInteger(v.Type()) && byFloats(v)
	for _, e := range v.Edges {
		t.value(e)
	}
	t.chosen = before
}

// counts reports whether a variable only ever grows or shrinks by constants.
func counts(v *ssa.Phi) bool {
	steps := 0
	for _, e := range v.Edges {
		switch e := e.(type) {
		case *ssa.Const:
		case *ssa.BinOp:
			if _, byConst := e.Y.(*ssa.Const); !byConst || e.X != v {
				return false
			}
			steps++
		default:
			return false
		}
	}
	return steps > 0
}

// Counter reports whether a value is the counter of a loop.
func Counter(v ssa.Value) bool {
	phi, ok := v.(*ssa.Phi)
	return ok && counts(phi)
}

// byFloats reports whether a comparison of floating-point numbers decides which
// edge of a phi is taken.
func byFloats(v *ssa.Phi) bool {
	for _, p := range v.Block().Preds {
		for _, b := range append([]*ssa.BasicBlock{p}, p.Preds...) {
			in, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
			if !ok {
				continue
			}
			if c, ok := in.Cond.(*ssa.BinOp); ok && isFloat(c.X.Type()) {
				return true
			}
		}
	}
	return false
}

func isFloat(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		return p != nil && !sites.IsID(p)
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}

// container follows a list, or an array by its address.
func (t *tracer) container(v ssa.Value) {
	if _, ok := v.(*ssa.Alloc); ok {
		if !t.seen[v] {
			t.seen[v] = true
			t.made(v)
		}
		return
	}
	t.value(v)
}

// made follows what is put into a list or variable that this function makes.
func (t *tracer) made(v ssa.Value) {
	if a, ok := v.(*ssa.Alloc); ok {
		if v := holding(a); v != nil {
			t.value(v)
			return
		}
	}
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == v {
				t.value(ref.Val)
			}
		case *ssa.IndexAddr:
			t.storesTo(ref)
		case *ssa.Slice:
			t.uses(ref)
		case ssa.CallInstruction:
			t.fills(ref, v)
		}
	}
}

// uses follows what is put into a list under another name of it.
func (t *tracer) uses(v ssa.Value) {
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.IndexAddr:
			t.storesTo(ref)
		case ssa.CallInstruction:
			t.fills(ref, v)
		}
	}
}

func (t *tracer) storesTo(addr ssa.Value) {
	for _, use := range *addr.Referrers() {
		if st, ok := use.(*ssa.Store); ok && st.Addr == addr {
			t.value(st.Val)
		}
	}
}

// fills follows a call that a list is handed to: it may have come from there.
func (t *tracer) fills(in ssa.CallInstruction, list ssa.Value) {
	call := in.Common()
	if b, ok := call.Value.(*ssa.Builtin); ok {
		if b.Name() == "copy" && call.Args[0] == list {
			t.value(call.Args[1])
		}
		return
	}
	if t.f.quiet(call) {
		return
	}
	if v, ok := in.(*ssa.Call); ok {
		for i, a := range Args(call) {
			if a == list && !t.f.pkg.summary(call).Guards(i) {
				t.end(v, t.f.places.root(v))
			}
		}
	}
}

// load follows what was read from memory.
func (t *tracer) load(addr ssa.Value) {
	switch a := addr.(type) {
	case *ssa.IndexAddr:
		t.container(a.X)
	case *ssa.Alloc:
		if !t.seen[a] {
			t.seen[a] = true
			t.made(a)
		}
	case *ssa.FieldAddr:
		if alloc, ok := a.X.(*ssa.Alloc); ok && t.fields(alloc, a.Field) {
			return
		}
		p := t.f.places.at(a)
		t.end(p.Root(), p)
	case *ssa.FreeVar:
		if outer := binding(a); outer != nil && !writes(a) {
			t.load(outer)
			return
		}
		t.end(a, t.f.places.at(a))
	default:
		p := t.f.places.at(addr)
		t.end(p.Root(), p)
	}
}

// binding finds the variable of the function around a closure that a free
// variable is.
func binding(free *ssa.FreeVar) ssa.Value {
	fn := free.Parent()
	if fn.Parent() == nil {
		return nil
	}
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if mk, ok := instr.(*ssa.MakeClosure); ok && mk.Fn == fn {
				for i, v := range fn.FreeVars {
					if v == free {
						return mk.Bindings[i]
					}
				}
			}
		}
	}
	return nil
}

// fields follows the stores to one field of a struct that is made here; false:
// there is none, or the struct is filled as a whole.
func (t *tracer) fields(alloc *ssa.Alloc, field int) bool {
	found := false
	for _, ref := range *alloc.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			return false
		case *ssa.FieldAddr:
			if ref.Field == field {
				for _, use := range *ref.Referrers() {
					if st, ok := use.(*ssa.Store); ok && st.Addr == ref {
						t.value(st.Val)
						found = true
					}
				}
			}
		}
	}
	return found
}

// call follows a call that gives back the numbers which it is given.
func (t *tracer) call(v *ssa.Call) {
	if b, ok := v.Call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append", "min", "max":
			for _, a := range v.Call.Args {
				t.value(a)
			}
			return
		}
	}
	if i, ok := t.f.pkg.copies(v.Common()); ok {
		t.value(Args(v.Common())[i])
		return
	}
	t.end(v, t.f.places.root(v))
}

// copies reports whether a call gives back a list of the numbers that its
// argument i holds, in another type perhaps.
func (p *Package) copies(call *ssa.CallCommon) (i int, ok bool) {
	fn := call.StaticCallee()
	if fn == nil || !numbers(call.Signature().Results()) || !mayProve(call.Signature()) {
		return 0, false
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if obj := Callee(call); obj != nil && obj.Pkg() != nil && p.table.Is("copiers", obj.Pkg().Path()+"."+obj.Name()) {
		return 0, true
	}
	if fn.Blocks == nil {
		var fact Fact
		obj := Callee(call)
		ok := obj != nil && p.pass.ImportObjectFact(obj, &fact) && fact.Copies > 0
		return fact.Copies - 1, ok
	}
	if n, done := p.copying[fn]; done {
		return n, n >= 0
	}
	p.copying[fn] = -1
	n := p.copied(fn)
	p.copying[fn] = n
	return n, n >= 0
}

// numbers reports whether a function's only result is a number or a list.
func numbers(results *types.Tuple) bool {
	if results.Len() != 1 {
		return false
	}
	t := results.At(0).Type()
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem()
	}
	return isInteger(t)
}

func (p *Package) copied(fn *ssa.Function) int {
	f := p.Analyze(fn)
	at := -1
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || b == fn.Recover {
			continue
		}
		src := f.Sources(ret.Results[0])
		if len(src.Narrows) > 0 {
			return -1
		}
		for _, end := range src.Ends {
			if _, ok := end.Value.(*ssa.Const); ok {
				continue
			}
			param, ok := end.Value.(*ssa.Parameter)
			if !ok || end.Path != "" {
				return -1
			}
			for i, q := range fn.Params {
				if q == param {
					if at >= 0 && at != i {
						return -1
					}
					at = i
				}
			}
		}
	}
	return at
}
