package trainerstderr_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/trainvet/trainvet/analyzers/golang/trainerstderr"
)

func TestTrainerStderr(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, analysistest.TestData(), trainerstderr.Analyzer, "a")
}
