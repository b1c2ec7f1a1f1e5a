package nancompare_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/trainvet/trainvet/analyzers/golang/nancompare"
)

func TestNaNCompare(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, analysistest.TestData(), nancompare.Analyzer, "a")
}
