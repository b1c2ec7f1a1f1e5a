package counted

import (
	"go/ast"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/golang/flow"
	"github.com/trainvet/trainvet/analyzers/golang/sites"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Analyzer computes the states of the step sites.
var Analyzer = &analysis.Analyzer{
	Name:       "trainvetcounted",
	Doc:        "computes whether what becomes of each optimizer step is counted",
	Requires:   []*analysis.Analyzer{unit.Analyzer, sites.Analyzer, flow.Analyzer},
	Run:        run,
	ResultType: reflect.TypeFor[*Result](),
}

// State is what is known of a step.
type State struct {
	State    site.State
	Why      string
	Lost     bool // its error is dropped
	Handlers []site.Handling
}

// Result has the states.
type Result struct {
	States map[*sites.Site]State
}

func run(pass *analysis.Pass) (any, error) {
	r := &Result{States: map[*sites.Site]State{}}
	w := work{pass: pass, prog: pass.ResultOf[flow.Analyzer].(*flow.Program), unit: pass.ResultOf[unit.Analyzer].(*unit.Package)}
	for _, s := range pass.ResultOf[sites.Analyzer].(*sites.Result).List {
		if s.Kind != site.Decode {
			r.States[s] = w.judge(s)
		}
	}
	return r, nil
}

type work struct {
	pass *analysis.Pass
	prog *flow.Program
	unit *unit.Package
}

var errorType = types.Universe.Lookup("error").Type()

// judge computes the state of one step.
func (w *work) judge(s *sites.Site) State {
	if s.Escapes {
		return State{State: site.Uncounted, Why: "passed on as a value: who calls it is not followed"}
	}
	fails := failure(s)
	switch fails.How {
	case "panic":
		return State{State: site.Counted, Why: "a step that fails ends the run"}
	case "none":
		return State{State: site.Uncounted, Why: "it has no result: whether the step was applied cannot be seen"}
	}
	in := w.prog.Call(s.Call.(*ast.CallExpr))
	call, ok := in.(*ssa.Call)
	switch {
	case in == nil:
		return State{State: site.Uncounted, Why: "it stands in code that nothing reaches"}
	case !ok:
		return State{State: site.Uncounted, Lost: true, Why: "started by go or defer: its results are dropped"}
	}
	return w.results(call, fails)
}

// results looks at what is done with the error and the flag.
func (w *work) results(call *ssa.Call, fails catalog.Failure) State {
	list := call.Common().Signature().Results()
	for i := range list.Len() {
		t := list.At(i).Type()
		isErr := i == list.Len()-1 && types.Identical(t, errorType)
		isFlag := (fails.How == "overflow" || fails.How == "applied") && i == fails.Result
		if !isErr && !isFlag || used(result(call, i)) {
			continue
		}
		if isErr {
			return State{State: site.Uncounted, Lost: true, Why: "its error is dropped: a step that was not taken counts as one"}
		}
		return State{State: site.Uncounted, Why: "its flag is dropped: a skipped step counts as one"}
	}
	return State{State: site.Counted, Why: "its error is looked at"}
}

// failure says how a step tells that it did not happen: by its row of the
// catalogue, else by its results.
func failure(s *sites.Site) catalog.Failure {
	if s.Entry != nil {
		return s.Entry.Fails
	}
	if s.Callee == nil {
		return catalog.Failure{How: "none"}
	}
	results := s.Callee.Signature().Results()
	out := catalog.Failure{How: "none"}
	for i := range results.Len() {
		t := results.At(i).Type()
		if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsBoolean != 0 {
			return catalog.Failure{How: "applied", Result: i}
		}
		if types.Identical(t, errorType) {
			out.How = "error"
		}
	}
	return out
}

// result finds one result of a call; nil: nobody takes it.
func result(call *ssa.Call, i int) ssa.Value {
	if call.Common().Signature().Results().Len() == 1 {
		return call
	}
	for _, ref := range *call.Referrers() {
		if ex, ok := ref.(*ssa.Extract); ok && ex.Index == i {
			return ex
		}
	}
	return nil
}

func used(v ssa.Value) bool {
	if v == nil {
		return false
	}
	for _, ref := range *v.Referrers() {
		if _, debug := ref.(*ssa.DebugRef); !debug {
			return true
		}
	}
	return false
}
