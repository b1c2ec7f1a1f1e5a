package driver

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

// possible searches the files of a unit that was not analysed for calls that
// may be sites by their names. Names are all that there is without types; test
// files are never gated and not searched.
func possible(u site.Unit, names func(string) bool) []Possible {
	var out []Possible
	for _, name := range u.Files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			out = append(out, Possible{Unit: u.Name, At: site.Position{File: name}})
		}
		if f == nil {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr) // called or passed on as a value
			if ok && (names == nil || names(sel.Sel.Name)) {
				at := fset.PositionFor(sel.Sel.Pos(), false)
				out = append(out, Possible{Unit: u.Name, Name: sel.Sel.Name, At: site.Position{File: name, Line: at.Line, Column: at.Column}})
			}
			return true
		})
	}
	return out
}

func comparePositions(a, b site.Position) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}
