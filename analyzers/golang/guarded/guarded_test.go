package guarded_test

import (
	"fmt"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/trainvet/trainvet/analyzers/golang/guarded"
	"github.com/trainvet/trainvet/analyzers/golang/stubtest"
)

// states reports each site of the ledger with its state, so that fixtures can
// want them.
var states = &analysis.Analyzer{
	Name:     "states",
	Doc:      "reports the state of each site",
	Requires: []*analysis.Analyzer{guarded.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		r := pass.ResultOf[guarded.Analyzer].(*guarded.Result)
		for _, s := range r.List {
			st := r.States[s]
			text := fmt.Sprintf("%s %s, %s: %s", s.Kind, st.State, st.Origin, st.Why)
			for _, h := range st.Handlers {
				text += fmt.Sprintf("; %s: %s", h.Func, h.Message)
				if h.Lost {
					text += " LOST"
				}
			}
			pass.Reportf(s.Call.Pos(), "%s", text)
		}
		for s, to := range r.Moved {
			pass.Reportf(s.Call.Pos(), "moved to the callers of %s", to.Name())
		}
		return nil, nil
	},
}

func TestStates(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, stubtest.Dir(t), states, "direct", "written", "built", "callers", "wrapuse", "gives", "names", "o02", "silent")
}
