// Package supervisorkill is TV709: a trainer is the child of a context. When
// that ends, a long run is killed with SIGKILL, without a last line, and its
// own children stay behind.
package supervisorkill

import (
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/golang/child"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:     "supervisorkill",
	Doc:      "TV709: a context kills a long run without a word",
	Run:      run,
	Requires: []*analysis.Analyzer{child.Analyzer, unit.Analyzer},
}

func run(pass *analysis.Pass) (any, error) {
	u := pass.ResultOf[unit.Analyzer].(*unit.Package)
	for _, c := range pass.ResultOf[child.Analyzer].(*child.Result).Commands {
		if !c.Context || c.Trainer == "" || c.Escapes {
			continue
		}
		if len(c.Sets["Cancel"]) > 0 || len(c.Sets["SysProcAttr"]) > 0 {
			continue
		}
		u.Report(pass, unit.Finding{
			Code: "TV709", Pos: c.Call.Pos(), End: c.Call.End(),
			Message: fmt.Sprintf("%s is killed with SIGKILL when the context ends: no last line, no checkpoint, and its workers stay behind; set Cancel, or a session of its own", c.Trainer),
		})
	}
	return nil, nil
}
