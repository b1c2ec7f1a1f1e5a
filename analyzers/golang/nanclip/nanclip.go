// Package nanclip is TV317: an optimizer is told to replace what is not finite
// in gradients or updates, and nothing reports how often it did.
package nanclip

import (
	"go/ast"
	"go/constant"
	"go/types"
	"path"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/golang/flow"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:     "nanclip",
	Doc:      "TV317: NaN are clipped and nothing reports it",
	Run:      run,
	Requires: []*analysis.Analyzer{unit.Analyzer},
}

// parameter is what GoMLX's optimizers read, in every version.
const parameter = "clip_nan"

func run(pass *analysis.Pass) (any, error) {
	if flow.Standard(pass) || !uses(pass) {
		return nil, nil // nearly every package
	}
	u := pass.ResultOf[unit.Analyzer].(*unit.Package)
	report := func(n ast.Node) {
		if !u.Test(n.Pos()) {
			u.Report(pass, unit.Finding{
				Code: "TV317", Pos: n.Pos(), End: n.End(),
				Message: "clip_nan replaces what is not finite and nothing counts it: a training that has stopped learning prints a finite loss",
			})
		}
	}
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				for i := 0; i+1 < len(n.Args); i++ {
					if sets(pass.TypesInfo, n.Args[i], n.Args[i+1]) {
						report(n)
					}
				}
			case *ast.KeyValueExpr:
				if sets(pass.TypesInfo, n.Key, n.Value) {
					report(n)
				}
			}
			return true
		})
	}
	return nil, nil
}

// uses reports whether a package trains with GoMLX and has no NaN logger.
func uses(pass *analysis.Pass) bool {
	trains := false
	for _, imported := range pass.Pkg.Imports() {
		if path.Base(imported.Path()) == "nanlogger" {
			return false
		}
		trains = trains || catalog.Golang().Lists(imported)
	}
	return trains
}

// sets reports whether a parameter is clip_nan and its value true.
func sets(info *types.Info, key, value ast.Expr) bool {
	k, v := info.Types[key].Value, info.Types[value].Value
	return k != nil && v != nil && k.Kind() == constant.String && v.Kind() == constant.Bool &&
		constant.StringVal(k) == parameter && constant.BoolVal(v)
}
