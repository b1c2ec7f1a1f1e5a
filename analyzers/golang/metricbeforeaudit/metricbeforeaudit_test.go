package metricbeforeaudit_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/trainvet/trainvet/analyzers/golang/metricbeforeaudit"
)

func TestMetricBeforeAudit(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, analysistest.TestData(), metricbeforeaudit.Analyzer, "a", "b")
}
