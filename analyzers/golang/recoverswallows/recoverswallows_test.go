package recoverswallows_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/trainvet/trainvet/analyzers/golang/recoverswallows"
)

func TestRecoverSwallows(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, analysistest.TestData(), recoverswallows.Analyzer, "a", "o25")
}
