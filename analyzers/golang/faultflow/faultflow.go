package faultflow

import (
	"go/ast"
	"go/types"
	"reflect"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/golang/flow"
	"github.com/trainvet/trainvet/analyzers/golang/sites"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// Analyzer finds where faults come from and where they are lost; the rules of
// TV201, TV202, TV209 and TV210 report from its result.
var Analyzer = &analysis.Analyzer{
	Name:       "trainvetfaultflow",
	Doc:        "follows the error of a guard to where it is lost",
	Run:        run,
	Requires:   []*analysis.Analyzer{sites.Analyzer, flow.Analyzer, unit.Analyzer},
	ResultType: reflect.TypeFor[*Result](),
	FactTypes:  []analysis.Fact{(*MayFault)(nil), (*Reaches)(nil), (*Tells)(nil), (*Faulty)(nil)},
}

// Result is what the rules ask of one package.
type Result struct {
	reach *reach
	// engine is nil where no error of the package can be a fault.
	engine *engine
	losses func() []Loss
	apis   func() *apis
}

func run(pass *analysis.Pass) (any, error) {
	r := &Result{losses: func() []Loss { return nil }, apis: sync.OnceValue(readAPIs)}
	if flow.Standard(pass) {
		return r, nil
	}
	found := pass.ResultOf[sites.Analyzer].(*sites.Result)
	marks := readDirectives(pass, found)
	// Fast path: most packages have neither a site nor a directive nor a
	// dependency that comes to one.
	known := pass.AllObjectFacts()
	if len(known) == 0 && len(found.List) == 0 && marks.empty() {
		return r, nil
	}
	r.reach = newReach(pass, marks, found)
	r.reach.export()
	if !faultsAround(known) && marks.empty() {
		return r, nil
	}
	r.engine = newEngine(pass, marks, pass.ResultOf[flow.Analyzer].(*flow.Program).Funcs())
	r.engine.solve()
	r.losses = sync.OnceValue(r.engine.findLosses)
	return r, nil
}

func faultsAround(known []analysis.ObjectFact) bool {
	for _, k := range known {
		if _, ok := k.Fact.(*MayFault); ok {
			return true
		}
	}
	return false
}

// MayFault reports which error results of a call may be a fault, if any.
func (r *Result) MayFault(call *ast.CallExpr) (*MayFault, bool) {
	if r.engine == nil {
		return nil, false
	}
	return r.engine.faultOfCall(call)
}

// Reaches says which kinds of site a call of fn can come to.
func (r *Result) Reaches(fn *types.Func) Kinds {
	if r.reach == nil || fn == nil {
		return 0
	}
	return r.reach.of(fn.Origin()).Kinds
}

// Within says what code can come to: a site or guard in it, or one that a
// function which it names comes to.
func (r *Result) Within(node ast.Node) Way {
	if r.reach == nil {
		return Way{}
	}
	return r.reach.within(node)
}

// Losses lists the places of the package where a fault is lost, in order.
func (r *Result) Losses() []Loss { return r.losses() }

// Concerned reports whether anything in the package can come to a site or a
// guard.
func (r *Result) Concerned() bool { return r.reach != nil }
