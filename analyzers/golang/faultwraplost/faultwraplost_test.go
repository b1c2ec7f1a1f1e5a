package faultwraplost_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/trainvet/trainvet/analyzers/golang/faultwraplost"
	"github.com/trainvet/trainvet/analyzers/golang/stubtest"
)

func TestFaultWrapLost(t *testing.T) {
	t.Parallel()
	analysistest.RunWithSuggestedFixes(t, stubtest.Dir(t), faultwraplost.Analyzer, "a")
}
