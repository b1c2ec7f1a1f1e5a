package nanclip_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/trainvet/trainvet/analyzers/golang/nanclip"
	"github.com/trainvet/trainvet/analyzers/golang/stubtest"
)

func Test(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, stubtest.Dir(t), nanclip.Analyzer, "a", "logged", "other")
}
