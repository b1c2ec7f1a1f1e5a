package faultbymessage_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/trainvet/trainvet/analyzers/golang/faultbymessage"
)

func TestFaultByMessage(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, analysistest.TestData(), faultbymessage.Analyzer, "a", "o03")
}
