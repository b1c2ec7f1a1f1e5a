// Package nancompare is TV208: a comparison that NaN makes false without
// anybody noticing. A loss that is no number never exceeds the limit that
// should stop the run, and never beats the best value, which then is reported
// as that of the whole run.
//
// Three forms are looked for: x == math.NaN(), which never holds; a best value
// that is kept by < or >; a limit that stops the run by >. The last two only
// where a name says that the number is a metric, and where the function has
// not asked before whether it is one.
package nancompare

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/trainvet/trainvet/analyzers/golang/flow"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:     "nancompare",
	Doc:      "TV208: a comparison that NaN makes false",
	Run:      run,
	Requires: []*analysis.Analyzer{unit.Analyzer},
}

// rule is one run.
type rule struct {
	pass  *analysis.Pass
	unit  *unit.Package
	names names
}

func run(pass *analysis.Pass) (any, error) {
	if flow.Standard(pass) {
		return nil, nil
	}
	r := &rule{pass: pass, unit: pass.ResultOf[unit.Analyzer].(*unit.Package), names: readNames()}
	for _, f := range pass.Files {
		if r.unit.Test(f.Package) {
			continue
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				ast.Inspect(d.Body, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.BinaryExpr:
						r.equal(n)
					case *ast.IfStmt:
						r.choice(d, n)
					}
					return true
				})
			}
		}
	}
	return nil, nil
}

// equal reports a comparison with math.NaN().
func (r *rule) equal(b *ast.BinaryExpr) {
	if b.Op != token.EQL && b.Op != token.NEQ && !ordered(b.Op) {
		return
	}
	other := b.X
	if r.isNaNCall(b.X) {
		other = b.Y
	} else if !r.isNaNCall(b.Y) {
		return
	}
	says := "false"
	if b.Op == token.NEQ {
		says = "true"
	}
	f := unit.Finding{
		Code: "TV208", Pos: b.Pos(), End: b.End(),
		Message: fmt.Sprintf("a comparison with NaN is always %s, so a value that is no number passes here: use math.IsNaN", says),
	}
	if text := r.isNaN(b, other); text != "" {
		f.Drafts = []analysis.SuggestedFix{{Message: "ask math.IsNaN", TextEdits: []analysis.TextEdit{{Pos: b.Pos(), End: b.End(), NewText: []byte(text)}}}}
	}
	r.unit.Report(r.pass, f)
}

func ordered(op token.Token) bool {
	return op == token.LSS || op == token.GTR || op == token.LEQ || op == token.GEQ
}

func (r *rule) isNaNCall(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	if tv := r.pass.TypesInfo.Types[call.Fun]; tv.IsType() && len(call.Args) == 1 {
		return r.isNaNCall(call.Args[0]) // float32(math.NaN())
	}
	return r.callee(call) == "math.NaN"
}

func (r *rule) callee(call *ast.CallExpr) string {
	fn, ok := typeutil.Callee(r.pass.TypesInfo, call).(*types.Func)
	if !ok {
		return ""
	}
	return fn.FullName()
}

// isNaN writes the question that was meant, where it is a plain one.
func (r *rule) isNaN(b *ast.BinaryExpr, other ast.Expr) string {
	t, ok := types.Unalias(r.pass.TypesInfo.TypeOf(other)).(*types.Basic)
	if !ok || t.Kind() != types.Float64 || ordered(b.Op) {
		return ""
	}
	text := "math.IsNaN(" + types.ExprString(other) + ")"
	if b.Op == token.NEQ {
		text = "!" + text
	}
	return text
}

// choice reports an if that keeps a best metric or stops at a limit.
func (r *rule) choice(d *ast.FuncDecl, stmt *ast.IfStmt) {
	for _, b := range conjuncts(stmt.Cond) {
		if !ordered(b.Op) || !r.isFloat(b.X) || !r.isFloat(b.Y) {
			continue
		}
		switch {
		case r.keeps(stmt, b.X, b.Y):
			r.best(d, stmt, b, b.X, b.Y)
		case r.keeps(stmt, b.Y, b.X):
			r.best(d, stmt, b, b.Y, b.X)
		case b.Op == token.GTR || b.Op == token.GEQ:
			r.limit(d, stmt, b, b.X)
		default:
			r.limit(d, stmt, b, b.Y)
		}
	}
}

// best judges: value is stored as best where it compares better.
func (r *rule) best(d *ast.FuncDecl, stmt *ast.IfStmt, b *ast.BinaryExpr, value, best ast.Expr) {
	v, k := r.names.of(value), r.names.of(best)
	named := k.best && !k.other && (v.metric() || k.metric()) || k.bound && v.metric() && k.metric()
	if !named || v.other || r.asked(d, stmt.Cond.End(), value) || r.asked(d, stmt.Cond.End(), best) {
		return
	}
	r.unit.Report(r.pass, unit.Finding{
		Code: "TV208", Pos: b.Pos(), End: b.End(),
		Message: fmt.Sprintf("false when %s is NaN: %s stays at an older value and is reported as the best of the run; ask math.IsNaN first", types.ExprString(value), types.ExprString(best)),
	})
}

// limit judges: the run stops when value is too large.
func (r *rule) limit(d *ast.FuncDecl, stmt *ast.IfStmt, b *ast.BinaryExpr, value ast.Expr) {
	v := r.names.of(value)
	if !v.loss || v.other || v.best || v.bound || stmt.Else != nil || !r.stops(stmt.Body) || r.asked(d, stmt.Cond.End(), value) {
		return
	}
	r.unit.Report(r.pass, unit.Finding{
		Code: "TV208", Pos: b.Pos(), End: b.End(),
		Message: fmt.Sprintf("false when %s is NaN: the run that should stop here goes on; ask math.IsNaN first", types.ExprString(value)),
	})
}

// conjuncts are the comparisons that a condition is made of; behind a ! NaN
// falls on the other side, which is right.
func conjuncts(e ast.Expr) []*ast.BinaryExpr {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok {
		return nil
	}
	if b.Op == token.LAND || b.Op == token.LOR {
		return append(conjuncts(b.X), conjuncts(b.Y)...)
	}
	return []*ast.BinaryExpr{b}
}
