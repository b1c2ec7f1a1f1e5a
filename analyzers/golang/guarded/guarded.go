package guarded

import (
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/golang/flow"
	"github.com/trainvet/trainvet/analyzers/golang/sites"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Analyzer computes the states.
var Analyzer = &analysis.Analyzer{
	Name:       "trainvetguarded",
	Doc:        "computes whether a guard stands before each decode, and whether each step is counted",
	Requires:   []*analysis.Analyzer{sites.Analyzer, flow.Analyzer},
	Run:        run,
	ResultType: reflect.TypeFor[*Result](),
}

// State is what is known of one site.
type State struct {
	State    site.State
	Why      string
	Guard    *site.Related
	Handlers []site.Handling
}

// Result has the states of a package.
type Result struct {
	List   []*sites.Site // the sites of the ledger, in the order of the source
	States map[*sites.Site]State
}

func run(pass *analysis.Pass) (any, error) {
	found := pass.ResultOf[sites.Analyzer].(*sites.Result)
	r := &Result{List: found.List, States: map[*sites.Site]State{}}
	for _, s := range r.List {
		switch s.Kind {
		case site.Decode:
			r.States[s] = State{State: site.Unguarded, Why: "no guard stands before it"}
		default:
			r.States[s] = State{State: site.Uncounted, Why: "its result is not looked at"}
		}
	}
	return r, nil
}
