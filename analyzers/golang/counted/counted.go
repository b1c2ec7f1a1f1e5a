package counted

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/golang/flow"
	"github.com/trainvet/trainvet/analyzers/golang/sites"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
	"github.com/trainvet/trainvet/analyzers/golang/upward"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Analyzer computes the states of the step sites.
var Analyzer = &analysis.Analyzer{
	Name:       "trainvetcounted",
	Doc:        "computes whether what becomes of each optimizer step is counted",
	Requires:   []*analysis.Analyzer{unit.Analyzer, sites.Analyzer, flow.Analyzer},
	Run:        run,
	FactTypes:  []analysis.Fact{new(Gives)},
	ResultType: reflect.TypeFor[*Result](),
}

// State is what is known of a step.
type State struct {
	State    site.State
	Why      string
	Handlers []site.Handling
}

// Loss is a place that drops the error of a step, or of a function that
// returns one.
type Loss struct {
	Pos, End token.Pos
	Step     string       // what is called there
	From     string       // the step, where it is another function that returns its error
	StepAt   token.Pos    // of the step, when it is in this package
	Kind     catalog.Kind // of what fails there; empty: a step
	What     string
	Call     *ast.CallExpr // nil: the loss is on the way up
}

// Result has the states, and the places where an error is lost.
type Result struct {
	States map[*sites.Site]State
	Losses []Loss
}

func run(pass *analysis.Pass) (any, error) {
	r := &Result{States: map[*sites.Site]State{}}
	if flow.Standard(pass) {
		return r, nil
	}
	prog := pass.ResultOf[flow.Analyzer].(*flow.Program)
	w := work{
		pass: pass, prog: prog, unit: pass.ResultOf[unit.Analyzer].(*unit.Package), result: r,
		up: upward.New(pass, prog), gives: map[*types.Func]string{}, lost: map[token.Pos]bool{},
	}
	for _, s := range pass.ResultOf[sites.Analyzer].(*sites.Result).List {
		if s.Kind != site.Decode {
			r.States[s] = w.judge(s)
		}
	}
	w.around()
	w.imported()
	w.export()
	return r, nil
}

type work struct {
	pass   *analysis.Pass
	prog   *flow.Program
	unit   *unit.Package
	up     *upward.Tracer
	result *Result
	gives  map[*types.Func]string // functions that return a step's error, and the step
	lost   map[token.Pos]bool     // losses that are noted
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
		if fails.How == "error" {
			w.lose(Loss{Pos: s.Call.Pos(), End: s.Call.End(), Step: sites.Callee(s.Call), What: "started by go or defer, its error goes nowhere"})
		}
		return State{State: site.Uncounted, Why: "started by go or defer: its results are dropped"}
	}
	return w.results(s, call, fails)
}

// results looks at what is done with the flag and the error.
func (w *work) results(s *sites.Site, call *ssa.Call, fails catalog.Failure) State {
	st := State{State: site.Counted, Why: "its error is looked at"}
	if v, has := upward.ErrorOf(call); has {
		places := w.up.FromCall(call)
		st.Handlers = upward.Handlings(w.unit, places)
		for i, p := range places {
			if p.Out != nil {
				w.gives[p.Out] = sites.Callee(s.Call)
			}
			if !p.Silent {
				continue
			}
			l := Loss{Pos: p.Pos, Step: sites.Callee(s.Call), What: p.What}
			if i == 0 && v == nil || p.Pos == call.Pos() {
				l.Pos, l.End, l.Call = s.Call.Pos(), s.Call.End(), s.Call.(*ast.CallExpr)
			}
			if i > 0 {
				l.Step, l.From, l.StepAt = p.Func, sites.Callee(s.Call), s.Call.Pos()
			}
			w.lose(l)
			st.State, st.Why = site.Uncounted, "its error is lost: a step that was not taken counts as one"
		}
	}
	if fails.How == "overflow" || fails.How == "applied" {
		if !used(result(call, fails.Result)) {
			return State{State: site.Uncounted, Why: "its flag is dropped: a skipped step counts as one", Handlers: st.Handlers}
		}
		if st.State == site.Counted {
			st.Why = "its flag is looked at"
		}
	}
	return st
}

func (w *work) lose(l Loss) {
	if !w.lost[l.Pos] {
		w.lost[l.Pos] = true
		w.result.Losses = append(w.result.Losses, l)
	}
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
