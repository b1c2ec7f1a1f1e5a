package pipewaitrace_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/trainvet/trainvet/analyzers/golang/pipewaitrace"
)

func TestPipeWaitRace(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, analysistest.TestData(), pipewaitrace.Analyzer, "a")
}
