package faultdropped_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/trainvet/trainvet/analyzers/golang/faultdropped"
)

func TestFaultDropped(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, analysistest.TestData(), faultdropped.Analyzer, "a", "o03", "rows")
}
