// Package faultdropped is TV201: the error of a guard is dropped, only
// printed, overwritten, or turned into one failed item of many, so that a
// number is computed although the machine miscomputed.
//
// It is about guards. The error of an optimizer step that no guard returns is
// TV301's.
package faultdropped

import (
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/golang/faultflow"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:     "faultdropped",
	Doc:      "TV201: the error of a guard is dropped",
	Run:      run,
	Requires: []*analysis.Analyzer{faultflow.Analyzer, unit.Analyzer},
}

func run(pass *analysis.Pass) (any, error) {
	flow := pass.ResultOf[faultflow.Analyzer].(*faultflow.Result)
	u := pass.ResultOf[unit.Analyzer].(*unit.Package)
	for _, l := range flow.Of(faultflow.Dropped) {
		f := l.Finding(pass)
		f.Code = "TV201"
		f.Message = fmt.Sprintf("an error that may be a fault of %s does not get past here: %s, and a number is made of what the machine miscomputed", l.Fault.Guard, l.How)
		f.Drafts = l.Propagate(pass)
		u.Report(pass, f)
	}
	return nil, nil
}
