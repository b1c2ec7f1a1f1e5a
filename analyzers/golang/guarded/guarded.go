package guarded

import (
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/golang/checks"
	"github.com/trainvet/trainvet/analyzers/golang/counted"
	"github.com/trainvet/trainvet/analyzers/golang/flow"
	"github.com/trainvet/trainvet/analyzers/golang/sites"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
	"github.com/trainvet/trainvet/analyzers/golang/upward"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Analyzer computes the states.
var Analyzer = &analysis.Analyzer{
	Name:       "trainvetguarded",
	Doc:        "computes whether a guard stands before each decode, and whether each step is counted",
	Requires:   []*analysis.Analyzer{unit.Analyzer, sites.Analyzer, flow.Analyzer, checks.Analyzer, counted.Analyzer},
	Run:        run,
	FactTypes:  []analysis.Fact{new(Passes)},
	ResultType: reflect.TypeFor[*Result](),
}

// State is what is known of one site.
type State struct {
	State    site.State
	Origin   string // of a decode's ids: generated, data, constant, unknown
	Why      string
	Guard    *site.Related
	Handlers []site.Handling
	Missed   *Missed // a guard that stands there and does not protect the site
}

// Missed is a guard that does not count for a site.
type Missed struct {
	Code string // TV105, TV112
	Why  string // what is wrong with it
	Pos  token.Pos
	Here string // what stands at Pos
}

// Result has the sites of a package as the ledger lists them, with their states.
type Result struct {
	List   []*sites.Site // in the order of the source
	States map[*sites.Site]State
	// Moved are the calls whose finding is their caller's: they pass on a
	// parameter, and each call of the function around them is a site instead.
	Moved map[*sites.Site]*types.Func
	// Passed are those of the moved whose function is exported: who calls it
	// may lie outside the tree, or call it through an interface.
	Passed []*sites.Site
	// Through is the full name of the function that a site calls, where that
	// function only passes its argument on.
	Through map[*sites.Site]string
}

func run(pass *analysis.Pass) (any, error) {
	w := &work{
		pass: pass, table: catalog.Golang(),
		unit:     pass.ResultOf[unit.Analyzer].(*unit.Package),
		sites:    pass.ResultOf[sites.Analyzer].(*sites.Result),
		prog:     pass.ResultOf[flow.Analyzer].(*flow.Program),
		checks:   pass.ResultOf[checks.Analyzer].(*checks.Package),
		wrappers: map[*types.Func][]Pass{},
		paths:    map[*sites.Site]string{},
		asking:   map[*types.Func]bool{},
		result:   &Result{States: map[*sites.Site]State{}, Moved: map[*sites.Site]*types.Func{}, Through: map[*sites.Site]string{}},
	}
	w.up = upward.New(pass, w.prog)
	if flow.Standard(pass) {
		return w.result, nil
	}
	w.steps(pass.ResultOf[counted.Analyzer].(*counted.Result))
	w.imported()
	w.decodes()
	w.finish()
	return w.result, nil
}

// work is one run.
type work struct {
	pass   *analysis.Pass
	table  *catalog.Go
	unit   *unit.Package
	sites  *sites.Result
	prog   *flow.Program
	checks *checks.Package
	up     *upward.Tracer
	result *Result

	queue    []*sites.Site
	wrappers map[*types.Func][]Pass // of this package and of what it imports
	paths    map[*sites.Site]string // fields of the argument that hold the ids
	uses     map[*types.Func][]use
	asking   map[*types.Func]bool // whose callers are being asked
	methods  map[string]bool      // of the interfaces of this package
}

func (w *work) steps(c *counted.Result) {
	for of, st := range c.States {
		s := own(of)
		w.result.States[s] = State{State: st.State, Why: st.Why, Handlers: st.Handlers}
		w.result.List = append(w.result.List, s)
	}
}

// own copies a site: it is numbered anew here, and other analyzers read the
// one that it came from at the same time.
func own(s *sites.Site) *sites.Site {
	c := *s
	return &c
}

// decodes judges each decode, and the calls that take over a finding.
func (w *work) decodes() {
	for _, s := range w.sites.List {
		if s.Kind == site.Decode {
			w.queue = append(w.queue, own(s))
		}
	}
	for len(w.queue) > 0 {
		s := w.queue[0]
		w.queue = w.queue[1:]
		st, to := w.judge(s)
		if to != nil {
			w.result.Moved[s] = to
			if len(w.wrappers[to]) > 0 {
				w.result.States[s] = st
				w.result.Passed = append(w.result.Passed, s)
			}
			continue
		}
		w.result.States[s] = st
		w.result.List = append(w.result.List, s)
	}
}

// finish numbers the sites anew, those of wrappers among them, and exports the
// wrappers.
func (w *work) finish() {
	slices.SortStableFunc(w.result.List, func(a, b *sites.Site) int { return int(a.Call.Pos() - b.Call.Pos()) })
	sites.Number(w.pass, w.unit, w.result.List)
	sites.Number(w.pass, w.unit, w.result.Passed)
	for fn, passes := range w.wrappers {
		if fn.Pkg() == w.pass.Pkg {
			w.pass.ExportObjectFact(fn, &Passes{passes})
		}
	}
}
