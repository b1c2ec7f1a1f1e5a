package faultflow_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/trainvet/trainvet/analyzers/golang/faultflow"
	"github.com/trainvet/trainvet/analyzers/golang/faultwraplost"
	"github.com/trainvet/trainvet/analyzers/golang/stubtest"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// drafts shows what Propagate offers as if it were applied unasked, which no
// rule does.
var drafts = &analysis.Analyzer{
	Name:     "drafts",
	Doc:      "reports each dropped fault with its draft",
	Requires: []*analysis.Analyzer{faultflow.Analyzer, unit.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		for _, l := range pass.ResultOf[faultflow.Analyzer].(*faultflow.Result).Of(faultflow.Dropped) {
			pass.Report(analysis.Diagnostic{Pos: l.Node.Pos(), Message: "lost: " + l.How, SuggestedFixes: l.Propagate(pass)})
		}
		return nil, nil
	},
}

func TestDraftsOfDroppedFaults(t *testing.T) {
	t.Parallel()
	analysistest.RunWithSuggestedFixes(t, stubtest.Dir(t), drafts, "drop")
}

// TestFixedCodeCompiles builds what the fixes leave behind, and finds that of
// what was reported nothing is left but what had no fix.
func TestFixedCodeCompiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		golden   string
		analyzer *analysis.Analyzer
		left     int
	}{
		{"testdata/src/drop/drop.go.golden", drafts, 2},
		{"../faultwraplost/testdata/src/a/a.go.golden", faultwraplost.Analyzer, 5},
	} {
		dir := stubtest.Dir(t)
		text, err := os.ReadFile(c.golden)
		require.NoError(t, err)
		require.NoError(t, os.Mkdir(filepath.Join(dir, "src", "fixed"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "src", "fixed", "fixed.go"), text, 0o644))
		for _, r := range analysistest.Run(quiet{t}, dir, c.analyzer, "fixed") {
			require.NoError(t, r.Action.Err, c.golden)
			require.Len(t, r.Action.Diagnostics, c.left, c.golden)
		}
	}
}

// quiet takes the wants of the golden files for what they are: of before.
type quiet struct{ t *testing.T }

func (q quiet) Errorf(format string, args ...any) { q.t.Logf(format, args...) }
