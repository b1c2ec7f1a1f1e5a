package faultdropped_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/trainvet/trainvet/analyzers/golang/faultdropped"
	"github.com/trainvet/trainvet/analyzers/golang/stubtest"
)

func TestFaultDropped(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, stubtest.Dir(t), faultdropped.Analyzer, "a", "o03", "rows", "iterator")
}
