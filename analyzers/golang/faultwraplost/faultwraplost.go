// Package faultwraplost is TV209: a new error is made of the text of one that
// may be a fault, and nobody above can tell by errors.Is that it was one.
package faultwraplost

import (
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/golang/faultflow"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:     "faultwraplost",
	Doc:      "TV209: a fault loses its type on the way up",
	Run:      run,
	Requires: []*analysis.Analyzer{faultflow.Analyzer, unit.Analyzer},
}

func run(pass *analysis.Pass) (any, error) {
	flow := pass.ResultOf[faultflow.Analyzer].(*faultflow.Result)
	u := pass.ResultOf[unit.Analyzer].(*unit.Package)
	for _, l := range flow.Of(faultflow.TypeLost) {
		f := l.Finding(pass)
		f.Code = "TV209"
		f.Message = fmt.Sprintf("a fault of %s loses its type here: %s, and errors.Is no longer finds it", l.Fault.Guard, l.How)
		f.Fixes = l.Wrap(pass)
		u.Report(pass, f)
	}
	return nil, nil
}
