package counted_test

import (
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/trainvet/trainvet/analyzers/golang/counted"
	"github.com/trainvet/trainvet/analyzers/golang/stubtest"
)

// states reports each step with its state.
var states = &analysis.Analyzer{
	Name:     "states",
	Doc:      "reports the state of each step",
	Requires: []*analysis.Analyzer{counted.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		for s, st := range pass.ResultOf[counted.Analyzer].(*counted.Result).States {
			text := string(s.Kind) + " " + string(st.State) + ": " + st.Why
			for _, h := range st.Handlers {
				text += "; " + h.Func + ": " + h.Message
			}
			pass.Reportf(s.Call.Pos(), "%s", text)
		}
		return nil, nil
	},
}

func TestStates(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, stubtest.Dir(t), states, "a")
}
