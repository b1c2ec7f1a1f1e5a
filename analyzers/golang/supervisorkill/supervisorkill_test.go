package supervisorkill_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/trainvet/trainvet/analyzers/golang/supervisorkill"
)

func TestSupervisorKill(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, analysistest.TestData(), supervisorkill.Analyzer, "a")
}
