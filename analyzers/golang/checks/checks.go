package checks

import (
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"go/types"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/golang/flow"
	"github.com/trainvet/trainvet/analyzers/golang/sites"
)

// Analyzer makes the Package of the rules that ask what was checked, and the
// facts for the packages above.
var Analyzer = &analysis.Analyzer{
	Name:       "trainvetchecks",
	Doc:        "finds the functions that hold ids against a bound, and what was checked where",
	Requires:   []*analysis.Analyzer{sites.Analyzer, flow.Analyzer},
	Run:        run,
	FactTypes:  []analysis.Fact{new(Fact)},
	ResultType: reflect.TypeFor[*Package](),
}

// Package answers for one package. Nothing is computed before it is asked, and
// it is asked by one analyzer at a time: those that ask require one another.
type Package struct {
	pass     *analysis.Pass
	prog     *flow.Program
	sites    *sites.Result
	table    *catalog.Go
	declared map[*types.Func]*Summary
	bodies   map[*ssa.Function]*Summary
	analyses map[*ssa.Function]*Func
	endings  map[*ssa.Function]bool // it never returns
	copying  map[*ssa.Function]int  // index of the argument that it gives back; -1: none
}

func run(pass *analysis.Pass) (any, error) {
	p := &Package{
		pass: pass, table: catalog.Golang(),
		prog:     pass.ResultOf[flow.Analyzer].(*flow.Program),
		sites:    pass.ResultOf[sites.Analyzer].(*sites.Result),
		declared: map[*types.Func]*Summary{}, bodies: map[*ssa.Function]*Summary{}, analyses: map[*ssa.Function]*Func{}, endings: map[*ssa.Function]bool{}, copying: map[*ssa.Function]int{},
	}
	if !flow.Standard(pass) {
		p.export()
	}
	return p, nil
}

// Analyze returns the analysis of a function.
func (p *Package) Analyze(fn *ssa.Function) *Func {
	if f, ok := p.analyses[fn]; ok {
		return f
	}
	f := &Func{pkg: p, fn: fn, places: newPlaces(), entry: state{facts: map[*Place]Bits{}}, asking: map[*ssa.Phi]bool{}}
	p.analyses[fn] = f
	f.captured()
	f.solve()
	return f
}

// Checked returns what is known of a value in front of an instruction.
func (f *Func) Checked(v ssa.Value, at ssa.Instruction) Bits {
	s := f.before(at)
	bits := f.known(s, v) & Both
	if list, ok := v.Type().Underlying().(*types.Slice); ok {
		if _, ok := list.Elem().Underlying().(*types.Struct); ok { // the ids are a field of the elements
			every := f.places.everyOf(f.places.of(v))
			for p, b := range s.facts {
				if p.within(every) {
					bits |= b & Both
				}
			}
		}
	}
	return bits
}

// CheckedPath is Checked of a field within a value, as Source.Path names it.
func (f *Func) CheckedPath(v ssa.Value, path string, at ssa.Instruction) Bits {
	if path == "" {
		return f.Checked(v, at)
	}
	p := f.places.of(v)
	if _, ok := v.Type().Underlying().(*types.Slice); ok {
		p = f.places.everyOf(p)
	}
	for _, step := range strings.Split(path, ".")[1:] {
		p = f.places.part(p, "."+step, nil)
	}
	return f.before(at).holds(p) & Both
}

// Enough reports whether bits suffice for ids of a type: an unsigned one
// cannot be negative.
func Enough(b Bits, t types.Type) bool {
	for {
		switch u := t.Underlying().(type) {
		case *types.Slice:
			t = u.Elem()
			continue
		case *types.Array:
			t = u.Elem()
			continue
		case *types.Pointer:
			t = u.Elem()
			continue
		}
		break
	}
	return b&Upper != 0 && (b&Lower != 0 || unsigned(t))
}

// Summary returns what a call proves; nil: nothing.
func (p *Package) Summary(call *ssa.CallCommon) *Summary { return p.summary(call) }

// captured makes what the function around a closure knows of the variables
// that it captures the closure's first state.
func (f *Func) captured() {
	parent := f.fn.Parent()
	if parent == nil || len(f.fn.FreeVars) == 0 {
		return
	}
	var mk *ssa.MakeClosure
	for _, b := range parent.Blocks {
		for _, instr := range b.Instrs {
			if m, ok := instr.(*ssa.MakeClosure); ok && m.Fn == f.fn {
				mk = m
			}
		}
	}
	if mk == nil {
		return
	}
	outer := f.pkg.Analyze(parent)
	if len(outer.done) == 0 || !outer.done[mk.Block().Index] {
		return // the parent asks about its own closure
	}
	s := outer.before(mk)
	for i, free := range f.fn.FreeVars {
		if storedLater(mk.Bindings[i], mk) || writes(free) {
			continue
		}
		if bits := s.holds(outer.places.at(mk.Bindings[i])) & (Both | Nil); bits != 0 {
			f.entry.add(f.places.root(free), bits)
		}
	}
}

// storedLater reports whether a captured variable can change after the closure
// was made.
func storedLater(v ssa.Value, mk *ssa.MakeClosure) bool {
	alloc, ok := v.(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, ref := range *alloc.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Addr == alloc {
			if !st.Block().Dominates(mk.Block()) || st.Block() == mk.Block() && after(st, mk) {
				return true
			}
		}
	}
	return false
}

func after(a, b ssa.Instruction) bool {
	for _, instr := range a.Block().Instrs {
		switch instr {
		case a:
			return false
		case b:
			return true
		}
	}
	return false
}
