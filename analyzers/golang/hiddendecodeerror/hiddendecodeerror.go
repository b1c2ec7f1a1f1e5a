// Package hiddendecodeerror is TV113: a decode is called that hides its error,
// where the same type has a variant that returns it.
package hiddendecodeerror

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/golang/flow"
	"github.com/trainvet/trainvet/analyzers/golang/mend"
	"github.com/trainvet/trainvet/analyzers/golang/sites"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:     "hiddendecodeerror",
	Doc:      "TV113: a decode is called that hides its error",
	Run:      run,
	Requires: []*analysis.Analyzer{sites.Analyzer, flow.Analyzer, unit.Analyzer},
}

func run(pass *analysis.Pass) (any, error) {
	u := pass.ResultOf[unit.Analyzer].(*unit.Package)
	prog := pass.ResultOf[flow.Analyzer].(*flow.Program)
	for _, s := range pass.ResultOf[sites.Analyzer].(*sites.Result).List {
		call, ok := s.Call.(*ast.CallExpr)
		if !ok || s.Entry == nil || s.Entry.Sibling == "" || u.Test(call.Pos()) {
			continue
		}
		sibling, ok := catalog.Golang().Sibling(s.Callee)
		if !ok || looksForEmpty(prog.Call(call)) {
			continue
		}
		u.Report(pass, unit.Finding{
			Code: "TV113", Pos: call.Pos(), End: call.End(),
			Message: fmt.Sprintf("%s answers a failure with an empty text, which scores as a wrong answer; %s returns the error", s.Callee.Name(), sibling.Name()),
			Fixes:   fixes(pass, call, sibling),
		})
	}
	return nil, nil
}

// looksForEmpty reports whether the text is held against "", or its length is:
// the author knows what an empty one means.
func looksForEmpty(in ssa.CallInstruction) bool {
	call, ok := in.(*ssa.Call)
	if !ok {
		return false
	}
	for _, ref := range *call.Referrers() {
		switch ref := ref.(type) {
		case *ssa.BinOp:
			if (ref.Op == token.EQL || ref.Op == token.NEQ) && (isEmpty(ref.X) || isEmpty(ref.Y)) {
				return true
			}
		case *ssa.Call:
			if b, ok := ref.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" && compared(ref) {
				return true
			}
		}
	}
	return false
}

func isEmpty(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.ExactString() == `""`
}

func compared(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		if op, ok := ref.(*ssa.BinOp); ok {
			switch op.Op {
			case token.EQL, token.NEQ, token.GTR, token.LSS, token.LEQ, token.GEQ:
				return true
			}
		}
	}
	return false
}

// fixes calls the sibling where the shape allows it: text := t.Decode(ids) in a
// function that returns an error, and return t.Decode(ids), nil.
func fixes(pass *analysis.Pass, call *ast.CallExpr, sibling *types.Func) []analysis.SuggestedFix {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sibling.Signature().Results().Len() != 2 {
		return nil
	}
	p := mend.At(pass, call)
	renamed := *call
	renamed.Fun = &ast.SelectorExpr{X: sel.X, Sel: &ast.Ident{NamePos: sel.Sel.NamePos, Name: sibling.Name()}}
	text := mend.Text(pass, &renamed)
	message := "call " + sibling.Name() + " and return its error"
	switch stmt := p.Up(1).(type) {
	case *ast.AssignStmt:
		ret, ok := p.ReturnError("err")
		if !ok || stmt.Tok != token.DEFINE || len(stmt.Lhs) != 1 || !p.InBlock(1) || !p.Free("err", stmt.Pos()) {
			return nil
		}
		text = fmt.Sprintf("%s, err := %s\nif err != nil {\n%s\n}", mend.Text(pass, stmt.Lhs[0]), text, ret)
		return []analysis.SuggestedFix{mend.Replace(message, stmt, text)}
	case *ast.ReturnStmt:
		if len(stmt.Results) != 2 {
			return nil
		}
		if id, ok := stmt.Results[1].(*ast.Ident); !ok || id.Name != "nil" {
			return nil
		}
		return []analysis.SuggestedFix{mend.Replace(message, stmt, "return "+text)}
	}
	return nil
}
