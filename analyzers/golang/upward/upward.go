package upward

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/golang/flow"
	"github.com/trainvet/trainvet/analyzers/golang/sites"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Place is one place that sees the error.
type Place struct {
	Pos  token.Pos
	Func string
	What string
	Lost bool // it goes no further
	// Silent: lost without a log line, a counter or anything else.
	Silent bool
	// Out is the function that hands it on to callers that are not in sight.
	Out *types.Func
}

// Handling is the place as the ledger shows it.
func (p Place) Handling(u *unit.Package) site.Handling {
	return site.Handling{At: u.Position(p.Pos), Func: p.Func, Message: p.What, Lost: p.Lost}
}

// Handlings are the places as the ledger shows them.
func Handlings(u *unit.Package, list []Place) []site.Handling {
	var out []site.Handling
	for _, p := range list {
		out = append(out, p.Handling(u))
	}
	return out
}

// Tracer follows errors in one package.
type Tracer struct {
	pass    *analysis.Pass
	prog    *flow.Program
	table   *catalog.Go
	callers map[*ssa.Function][]*ssa.Call // of declared functions, made at the first question
	lost    map[*ssa.Function][]token.Pos // started by go or defer: the error of a call is lost there
}

// New makes a tracer.
func New(pass *analysis.Pass, prog *flow.Program) *Tracer {
	return &Tracer{pass: pass, prog: prog, table: catalog.Golang()}
}

var errorType = types.Universe.Lookup("error").Type()

// ErrorOf returns the error that a call gives as its last result; nil, false:
// it gives none; nil, true: nobody takes it.
func ErrorOf(call *ssa.Call) (v ssa.Value, has bool) {
	results := call.Common().Signature().Results()
	n := results.Len()
	if n == 0 || !types.Identical(results.At(n-1).Type(), errorType) {
		return nil, false
	}
	if n == 1 {
		return call, true
	}
	for _, ref := range *call.Referrers() {
		if ex, ok := ref.(*ssa.Extract); ok && ex.Index == n-1 {
			return ex, true
		}
	}
	return nil, true
}

// FromCall follows the error of a call.
func (t *Tracer) FromCall(call *ssa.Call) []Place {
	w := walk{t: t, seen: map[*ssa.Function]bool{}}
	w.call(call)
	return w.out
}

// FromFunc follows the error that a function returns to its callers.
func (t *Tracer) FromFunc(fn *ssa.Function) []Place {
	w := walk{t: t, seen: map[*ssa.Function]bool{}}
	w.up(fn)
	return w.out
}

// walk is one way up.
type walk struct {
	t    *Tracer
	seen map[*ssa.Function]bool
	out  []Place
}

func (w *walk) add(pos token.Pos, fn *ssa.Function, what string, lost, silent bool) {
	w.out = append(w.out, Place{Pos: pos, Func: Name(fn), What: what, Lost: lost, Silent: silent})
}

// call looks at what is done with the error of one call, then goes up.
func (w *walk) call(call *ssa.Call) {
	v, has := ErrorOf(call)
	if !has {
		return
	}
	fn := call.Parent()
	u := uses{t: w.t, seen: map[ssa.Value]bool{}}
	if v != nil {
		u.follow(v)
	}
	pos := call.Pos()
	if u.pos.IsValid() {
		pos = u.pos
	}
	switch {
	case u.lost:
		w.add(pos, fn, u.how, true, u.silent)
	case u.returned:
		w.add(pos, fn, u.how, false, false)
	case u.kept:
		w.add(pos, fn, u.how, false, false)
		return
	default:
		w.add(call.Pos(), fn, "the error is dropped", true, true)
	}
	if u.returned {
		w.up(fn)
	}
}

// up goes to the callers of a function.
func (w *walk) up(fn *ssa.Function) {
	if w.seen[fn] || len(w.seen) > 50 {
		return
	}
	w.seen[fn] = true
	w.t.index()
	for _, call := range w.t.callers[fn] {
		w.call(call)
	}
	for _, pos := range w.t.lost[fn] {
		w.add(pos, fn, "started by go or defer: the error is dropped", true, true)
	}
	obj, _ := fn.Object().(*types.Func)
	if obj != nil && obj.Exported() && fn.Parent() == nil {
		w.out = append(w.out, Place{Pos: obj.Pos(), Func: Name(fn), What: "leaves the package as the error of " + sites.Qualified(obj), Out: obj.Origin()})
	}
}

// index finds the calls of the functions of the package, closures that are
// called by their variable among them.
func (t *Tracer) index() {
	if t.callers != nil {
		return
	}
	t.callers, t.lost = map[*ssa.Function][]*ssa.Call{}, map[*ssa.Function][]token.Pos{}
	for _, fn := range t.prog.Funcs() {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				in, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				callee := in.Common().StaticCallee()
				if callee == nil {
					continue
				}
				if o := callee.Origin(); o != nil {
					callee = o
				}
				if call, ok := in.(*ssa.Call); ok {
					t.callers[callee] = append(t.callers[callee], call)
				} else {
					t.lost[callee] = append(t.lost[callee], in.Pos())
				}
			}
		}
	}
}

// Name is a function as people call it.
func Name(fn *ssa.Function) string {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		return sites.Qualified(obj)
	}
	return fn.Name()
}
