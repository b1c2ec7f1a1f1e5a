package faultflow_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/trainvet/trainvet/analyzers/golang/faultflow"
	"github.com/trainvet/trainvet/analyzers/golang/stubtest"
)

// TestFacts holds the facts of guards and of two packages above them against
// the wants in the fixtures.
func TestFacts(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, stubtest.Dir(t), faultflow.Analyzer, "facts")
}
