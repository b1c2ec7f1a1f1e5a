package checks

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/trainvet/trainvet/analyzers/golang/sites"
)

// Summary is what a call of a function proves of its arguments, by their
// index, the receiver first.
type Summary struct {
	Nil    map[int]Bits // when its last result, an error, is nil
	True   map[int]Bits // when its last result is true
	False  map[int]Bits // when its last result is false
	Return map[int]Bits // when it returns at all
	Limits map[int]bool // the arguments that it takes for an upper bound
	// Gives is what it proves of its results, by their index: when its last
	// result is a nil error, or, where that is no error, whenever it returns.
	Gives map[int]Bits
}

func (s *Summary) empty() bool {
	return s == nil || len(s.Nil)+len(s.True)+len(s.False)+len(s.Return)+len(s.Gives) == 0
}

// Guards reports whether it proves anything of an argument.
func (s *Summary) Guards(arg int) bool {
	return s != nil && (s.Nil[arg]|s.True[arg]|s.False[arg]|s.Return[arg])&Both != 0
}

// summary returns what a call proves; nil: nothing is known.
func (p *Package) summary(call *ssa.CallCommon) *Summary {
	if fn := Callee(call); fn != nil {
		if s, ok := p.declared[fn]; ok {
			return s
		}
		s := p.declare(fn)
		p.declared[fn] = s
		return s
	}
	return p.summaryOf(call.StaticCallee())
}

// Callee returns the declared function or method that a call names; nil: a
// closure or a value of function type.
func Callee(call *ssa.CallCommon) *types.Func {
	if call.IsInvoke() {
		return call.Method.Origin()
	}
	fn := call.StaticCallee()
	if fn == nil {
		return nil
	}
	obj, _ := fn.Object().(*types.Func)
	if obj == nil {
		return nil
	}
	return obj.Origin()
}

// declare finds the summary of a declared function: its author's word, its
// body, or the fact of its package.
func (p *Package) declare(fn *types.Func) *Summary {
	if ids, ok := p.sites.Guard(fn); ok {
		return byDirective(fn, ids)
	}
	if fn.Pkg() == p.pass.Pkg {
		return p.summaryOf(p.prog.Decl(fn))
	}
	var fact Fact
	if p.pass.ImportObjectFact(fn, &fact) {
		return fact.Summary()
	}
	return nil
}

// byDirective trusts the author: when the call succeeds, the ids are checked.
func byDirective(fn *types.Func, ids int) *Summary {
	sig := fn.Signature()
	if sig.Recv() != nil {
		ids++
	}
	checked := map[int]Bits{ids: Both}
	if n := sig.Results().Len(); n > 0 {
		switch last := sig.Results().At(n - 1).Type(); {
		case isError(last):
			return &Summary{Nil: checked}
		case isBool(last):
			return &Summary{True: checked}
		}
	}
	return &Summary{Return: checked}
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// summaryOf makes the summary of a body. A function that is being looked at,
// further up, proves nothing to itself.
func (p *Package) summaryOf(fn *ssa.Function) *Summary {
	if fn == nil {
		return nil
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Blocks == nil {
		return nil
	}
	if s, ok := p.bodies[fn]; ok {
		return s
	}
	p.bodies[fn] = nil
	if !mayProve(fn.Signature) {
		return nil
	}
	s := p.summarize(fn)
	if s.empty() {
		s = nil
	}
	p.bodies[fn] = s
	return s
}

func (p *Package) summarize(fn *ssa.Function) *Summary {
	f := p.Analyze(fn)
	if len(f.done) == 0 {
		return nil // it is being looked at
	}
	all, isNil, isTrue, isFalse := state{dead: true}, state{dead: true}, state{dead: true}, state{dead: true}
	gives := newGiving(f)
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || !f.done[b.Index] || b == fn.Recover && !recovers(fn) {
			continue
		}
		s := f.out[b.Index]
		if s.dead {
			continue
		}
		all = meet(all, s)
		if len(ret.Results) == 0 {
			continue
		}
		last := ret.Results[len(ret.Results)-1]
		if !isError(last.Type()) {
			gives.add(s, ret)
		}
		switch {
		case isError(last.Type()):
			if !p.neverNil(last, b) {
				way := s.clone()
				f.assumeNil(way, last)
				isNil = meet(isNil, way)
				gives.add(way, ret)
			}
		case isBool(last.Type()):
			for truth, into := range map[bool]*state{true: &isTrue, false: &isFalse} {
				if k, ok := last.(*ssa.Const); ok && k.Value != nil && constant.BoolVal(k.Value) != truth {
					continue
				}
				way := s.clone()
				f.assume(way, last, truth, b)
				*into = meet(*into, way)
			}
		}
	}
	sum := &Summary{Nil: f.params(isNil), True: f.params(isTrue), False: f.params(isFalse), Return: f.params(all), Gives: gives.bits}
	if sum.guardsAny() {
		sum.Limits = f.limits(sum)
	}
	return sum
}

// mayProve is the fast path: most functions take nothing that could be an id
// or the error of a guard, and gives back no ids.
func mayProve(sig *types.Signature) bool {
	for i := range sig.Results().Len() {
		if sites.IsIDList(sig.Results().At(i).Type()) {
			return true
		}
	}
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		if sites.IsIDList(t) || sites.IsID(t) || isError(t) {
			return true
		}
	}
	return false
}

// params returns what a state knows of the parameters.
func (f *Func) params(s state) map[int]Bits {
	if s.dead {
		return nil
	}
	out := map[int]Bits{}
	for i, param := range f.fn.Params {
		if b := s.holds(f.places.root(param)) & (Both | Nil); b != 0 {
			out[i] = b
		}
	}
	return out
}

// neverNil reports whether an error that is returned is one for certain.
func (p *Package) neverNil(v ssa.Value, at *ssa.BasicBlock) bool {
	return p.neverNilVia(v, at, map[ssa.Value]bool{})
}

func (p *Package) neverNilVia(v ssa.Value, at *ssa.BasicBlock, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true // around a loop: as good as what enters it
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return true
	case *ssa.Call:
		fn := Callee(v.Common())
		if fn == nil {
			return false
		}
		low := strings.ToLower(fn.Name())
		for _, word := range p.table.Words("error-maker-words") {
			if strings.Contains(low, word) {
				return !p.summary(v.Common()).checksAny()
			}
		}
		return false
	case *ssa.UnOp:
		if g, ok := v.X.(*ssa.Global); ok { // var ErrRange = errors.New(...)
			return strings.HasPrefix(strings.ToLower(g.Name()), "err")
		}
		if stored := lastStore(v); stored != nil {
			return p.neverNilVia(stored, at, seen)
		}
	case *ssa.Phi:
		for _, e := range v.Edges {
			if !p.neverNilVia(e, at, seen) {
				return false
			}
		}
		return true
	}
	return knownNonNil(v, at)
}

func (s *Summary) checksAny() bool {
	if s == nil {
		return false
	}
	for _, b := range s.Nil {
		if b&Both != 0 {
			return true
		}
	}
	return false
}

// knownNonNil reports whether a block is reached only when an error was found
// not to be nil.
func knownNonNil(v ssa.Value, at *ssa.BasicBlock) bool {
	for b := at; b != nil; b = b.Idom() {
		if len(b.Preds) != 1 {
			continue
		}
		p := b.Preds[0]
		cond, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		cmp, ok := cond.Cond.(*ssa.BinOp)
		if !ok || cmp.X != v || !isNilConst(cmp.Y) {
			continue
		}
		if cmp.Op.String() == "!=" && p.Succs[0] == b || cmp.Op.String() == "==" && p.Succs[1] == b {
			return true
		}
	}
	return false
}

func isNilConst(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

// recovers reports whether a deferred function of fn takes panics: it may then
// return from anywhere.
func recovers(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			d, ok := instr.(*ssa.Defer)
			if !ok {
				continue
			}
			callee := d.Call.StaticCallee()
			if callee == nil || callee.Blocks == nil {
				continue
			}
			for _, inner := range callee.Blocks {
				if slices.ContainsFunc(inner.Instrs, callsRecover) {
					return true
				}
			}
		}
	}
	return false
}

func callsRecover(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := call.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "recover"
}
