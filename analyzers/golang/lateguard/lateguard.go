// Package lateguard is TV105: a guard stands beside a decode and does not protect it.
package lateguard

import (
	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/golang/guarded"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:     "lateguard",
	Doc:      "TV105: a guard stands beside a decode and does not protect it",
	Run:      run,
	Requires: []*analysis.Analyzer{guarded.Analyzer, unit.Analyzer},
}

func run(pass *analysis.Pass) (any, error) {
	found := pass.ResultOf[guarded.Analyzer].(*guarded.Result)
	u := pass.ResultOf[unit.Analyzer].(*unit.Package)
	for _, s := range found.List {
		m := found.States[s].Missed
		if m == nil || m.Code != "TV105" || u.Test(s.Call.Pos()) {
			continue
		}
		u.Report(pass, unit.Finding{
			Code: "TV105", Pos: s.Call.Pos(), End: s.Call.End(), Message: m.Why,
			Related: []analysis.RelatedInformation{{Pos: m.Pos, Message: m.Here}},
			Handler: &unit.Handler{ID: s.ID, Shape: s.Shape, Node: s.Call},
		})
	}
	return nil, nil
}
