package recoverswallows_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/trainvet/trainvet/analyzers/golang/recoverswallows"
	"github.com/trainvet/trainvet/analyzers/golang/stubtest"
)

func TestRecoverSwallows(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, stubtest.Dir(t), recoverswallows.Analyzer, "a", "o25")
}
