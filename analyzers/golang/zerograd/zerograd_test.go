package zerograd_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/trainvet/trainvet/analyzers/golang/stubtest"
	"github.com/trainvet/trainvet/analyzers/golang/zerograd"
)

func Test(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, stubtest.Dir(t), zerograd.Analyzer, "a")
}
