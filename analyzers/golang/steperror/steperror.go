// Package steperror is TV301: the error of an optimizer step, or of what stands
// around one, is dropped, here or by a function that it was returned to.
package steperror

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/golang/counted"
	"github.com/trainvet/trainvet/analyzers/golang/mend"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:     "steperror",
	Doc:      "TV301: the error of an optimizer step is dropped",
	Run:      run,
	Requires: []*analysis.Analyzer{counted.Analyzer, unit.Analyzer},
}

func run(pass *analysis.Pass) (any, error) {
	u := pass.ResultOf[unit.Analyzer].(*unit.Package)
	for _, l := range pass.ResultOf[counted.Analyzer].(*counted.Result).Losses {
		if u.Test(l.Pos) {
			continue
		}
		u.Report(pass, finding(pass, l))
	}
	return nil, nil
}

// consequence is what follows when something around a step fails unseen.
var consequence = map[catalog.Kind]string{
	catalog.Backward: "the gradients are not those of this loss, and whatever follows takes them for such",
	catalog.ZeroGrad: "the gradients of the batch before stay and are added to",
	catalog.Clip:     "the step is taken with gradients that were not clipped",
}

func finding(pass *analysis.Pass, l counted.Loss) unit.Finding {
	f := unit.Finding{Code: "TV301", Pos: l.Pos, End: l.End}
	what := l.Step
	if l.From != "" {
		what += ", which is that of " + l.From + ","
	}
	follows, ok := consequence[l.Kind]
	if !ok {
		follows = "a step that was not taken counts as one"
	}
	f.Message = fmt.Sprintf("the error of %s is lost (%s): %s", what, l.What, follows)
	if l.StepAt.IsValid() {
		f.Related = []analysis.RelatedInformation{{Pos: l.StepAt, Message: "the step"}}
	}
	if l.Call != nil {
		f.Fixes = fixes(pass, l.Call)
	}
	return f
}

// fixes returns the error, where the call is a statement of its own in a
// function that can.
func fixes(pass *analysis.Pass, call *ast.CallExpr) []analysis.SuggestedFix {
	p := mend.At(pass, call)
	ret, ok := p.ReturnError("err")
	if !ok || !p.InBlock(1) {
		return nil
	}
	switch stmt := p.Up(1).(type) {
	case *ast.ExprStmt:
	case *ast.AssignStmt:
		for _, lhs := range stmt.Lhs {
			if id, ok := lhs.(*ast.Ident); !ok || id.Name != "_" || len(stmt.Rhs) != 1 {
				return nil
			}
		}
	default:
		return nil
	}
	blanks := ""
	if t, ok := pass.TypesInfo.TypeOf(call).(*types.Tuple); ok {
		blanks = strings.Repeat("_, ", t.Len()-1)
	}
	text := fmt.Sprintf("if %serr := %s; err != nil {\n%s\n}", blanks, mend.Text(pass, call), ret)
	return []analysis.SuggestedFix{mend.Replace("return the error", p.Up(1), text)}
}
