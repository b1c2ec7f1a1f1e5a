package faultbymessage_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/trainvet/trainvet/analyzers/golang/faultbymessage"
	"github.com/trainvet/trainvet/analyzers/golang/stubtest"
)

func TestFaultByMessage(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, stubtest.Dir(t), faultbymessage.Analyzer, "a", "o03")
}
