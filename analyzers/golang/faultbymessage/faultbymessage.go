// Package faultbymessage is TV202: the text of an error that may be a fault
// decides what becomes of it. Texts change, and say the same of other things.
package faultbymessage

import (
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/golang/faultflow"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:     "faultbymessage",
	Doc:      "TV202: a fault is classified by its text",
	Run:      run,
	Requires: []*analysis.Analyzer{faultflow.Analyzer, unit.Analyzer},
}

func run(pass *analysis.Pass) (any, error) {
	flow := pass.ResultOf[faultflow.Analyzer].(*faultflow.Result)
	u := pass.ResultOf[unit.Analyzer].(*unit.Package)
	for _, l := range flow.Of(faultflow.ByText) {
		f := l.Finding(pass)
		f.Code = "TV202"
		f.Message = fmt.Sprintf("the text of an error that may be a fault of %s decides what becomes of it, and on one branch it is lost: test it with errors.Is", l.Fault.Guard)
		u.Report(pass, f)
	}
	return nil, nil
}
