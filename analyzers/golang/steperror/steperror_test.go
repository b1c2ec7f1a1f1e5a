package steperror_test

import (
	"testing"

	"github.com/trainvet/trainvet/analyzers/golang/steperror"
	"github.com/trainvet/trainvet/analyzers/golang/stubtest"
)

func Test(t *testing.T) {
	t.Parallel()
	stubtest.Fixes(t, steperror.Analyzer, "a")
}
