// Package trainerstderr is TV205: a trainer runs as a child process and what
// it says of a fault is lost, because nobody keeps its standard error, its two
// streams lose their common order, or nobody looks at how it ended.
package trainerstderr

import (
	"fmt"
	"go/ast"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/golang/child"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:     "trainerstderr",
	Doc:      "TV205: what a trainer child says of a fault is lost",
	Run:      run,
	Requires: []*analysis.Analyzer{child.Analyzer, unit.Analyzer},
}

func run(pass *analysis.Pass) (any, error) {
	u := pass.ResultOf[unit.Analyzer].(*unit.Package)
	for _, c := range pass.ResultOf[child.Analyzer].(*child.Result).Commands {
		if c.Trainer == "" {
			continue
		}
		for _, f := range findings(c) {
			f.Code = "TV205"
			f.Related = []analysis.RelatedInformation{{Pos: c.Call.Pos(), End: c.Call.End(), Message: "the child is made here"}}
			u.Report(pass, f)
		}
	}
	return nil, nil
}

// findings judges one command. One that escapes may get its streams elsewhere;
// how its end is treated is judged all the same.
func findings(c *child.Command) []unit.Finding {
	var out []unit.Finding
	started := c.Called("Run", "Start", "Output")
	if !c.Escapes && len(started) > 0 {
		if text := streams(c, started[0].Method); text != "" {
			out = append(out, at(started[0].Call, text))
		}
	}
	for _, use := range c.Called("Run", "Wait", "Output", "CombinedOutput") {
		if dropped(use) {
			out = append(out, at(use.Call, fmt.Sprintf("the result of %s is dropped: whether %s crashed is not known, and its last numbers count", use.Method, c.Trainer)))
		}
	}
	if !c.Escapes && len(c.Called("Start")) > 0 && len(c.Called("Wait")) == 0 {
		out = append(out, at(c.Called("Start")[0].Call, fmt.Sprintf("nobody waits for %s: whether it crashed is not known, and its last numbers count", c.Trainer)))
	}
	return out
}

func at(call *ast.CallExpr, message string) unit.Finding {
	return unit.Finding{Pos: call.Pos(), End: call.End(), Message: message}
}

// streams says what is wrong with where the output goes; empty: nothing.
func streams(c *child.Command, method string) string {
	switch {
	case c.Stderr() == child.Nowhere && method == "Output":
		return fmt.Sprintf("standard error of %s is kept only when it fails, and cut: the driver's line about a fault is lost when it exits with 0", c.Trainer)
	case c.Stderr() == child.Nowhere:
		return fmt.Sprintf("standard error of %s goes to the null device: the driver's line about a fault is written there and nowhere else", c.Trainer)
	case method == "Output", c.Stdout() == child.Nowhere, c.OneOrder():
		return ""
	}
	return fmt.Sprintf("standard output and standard error of %s go different ways: whether a fault came before a metric can no longer be proven", c.Trainer)
}

// dropped reports whether nobody looks at the error of a call.
func dropped(use child.Use) bool {
	switch parent := use.Path[len(use.Path)-1].(type) {
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		return true
	case *ast.AssignStmt:
		id, ok := parent.Lhs[len(parent.Lhs)-1].(*ast.Ident)
		return ok && id.Name == "_" && len(parent.Rhs) == 1
	}
	return false
}
