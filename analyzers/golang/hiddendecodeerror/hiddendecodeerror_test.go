package hiddendecodeerror_test

import (
	"testing"

	"github.com/trainvet/trainvet/analyzers/golang/hiddendecodeerror"
	"github.com/trainvet/trainvet/analyzers/golang/stubtest"
)

func Test(t *testing.T) {
	t.Parallel()
	stubtest.Fixes(t, hiddendecodeerror.Analyzer, "a")
}
