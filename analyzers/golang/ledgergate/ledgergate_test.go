package ledgergate_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/trainvet/trainvet/analyzers/golang/ledgergate"
	"github.com/trainvet/trainvet/analyzers/golang/stubtest"
)

func TestGate(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, stubtest.Dir(t), ledgergate.Analyzer, "gated", "listed", "plain", "directives")
}
