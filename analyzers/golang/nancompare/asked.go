package nancompare

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

func (r *rule) isFloat(e ast.Expr) bool {
	t := r.pass.TypesInfo.TypeOf(e)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}

// keeps reports whether the branch stores value into best.
func (r *rule) keeps(stmt *ast.IfStmt, value, best ast.Expr) bool {
	v, b := types.ExprString(value), types.ExprString(best)
	for _, s := range stmt.Body.List {
		a, ok := s.(*ast.AssignStmt)
		if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != len(a.Rhs) {
			continue
		}
		for i := range a.Lhs {
			if types.ExprString(a.Lhs[i]) == b && types.ExprString(a.Rhs[i]) == v {
				return true
			}
		}
	}
	return false
}

// stops reports whether a branch ends the run: it breaks out, panics, exits,
// or returns an error that is made there.
func (r *rule) stops(body *ast.BlockStmt) bool {
	if len(body.List) == 0 {
		return false
	}
	switch last := body.List[len(body.List)-1].(type) {
	case *ast.BranchStmt:
		return last.Tok == token.BREAK
	case *ast.ReturnStmt:
		if len(last.Results) == 0 {
			return false
		}
		t := r.pass.TypesInfo.TypeOf(last.Results[len(last.Results)-1])
		errorType := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
		return t != nil && types.Implements(t, errorType)
	case *ast.ExprStmt:
		call, ok := last.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		name := r.callee(call)
		id, isIdent := call.Fun.(*ast.Ident)
		return isIdent && id.Name == "panic" || strings.HasPrefix(name, "log.Fatal") || name == "os.Exit"
	}
	return false
}

// asked reports whether the function, up to the end of the condition, asks whether the
// value is a number: a call whose name speaks of NaN, Inf or finite and that
// is given it or what it is made of, or x != x.
func (r *rule) asked(d *ast.FuncDecl, upTo token.Pos, value ast.Expr) bool {
	roots := r.origins(d, value)
	found := false
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if n == nil || found {
			return false
		}
		if n.Pos() >= upTo {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			if speaksOfNaN(n.Fun) {
				for _, arg := range n.Args {
					found = found || r.mentions(arg, roots)
				}
				if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
					found = found || r.mentions(sel.X, roots)
				}
			}
		case *ast.BinaryExpr:
			same := types.ExprString(n.X) == types.ExprString(n.Y)
			found = found || (n.Op == token.NEQ || n.Op == token.EQL) && same && r.mentions(n.X, roots)
		}
		return true
	})
	return found
}

func speaksOfNaN(fun ast.Expr) bool {
	for _, word := range nameWords(fun) {
		switch word {
		case "nan", "isnan", "inf", "isinf", "finite", "isfinite", "nonfinite":
			return true
		}
	}
	name := strings.ToLower(types.ExprString(fun))
	return strings.Contains(name, "isnan") || strings.Contains(name, "finite")
}

// origins are the variables of a value, and those that it is computed from by
// an assignment in the function.
func (r *rule) origins(d *ast.FuncDecl, value ast.Expr) map[types.Object]bool {
	roots := map[types.Object]bool{}
	r.add(roots, value)
	for range 3 {
		ast.Inspect(d.Body, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			if !ok {
				return true
			}
			for i, lhs := range a.Lhs {
				if id, ok := lhs.(*ast.Ident); ok && roots[r.pass.TypesInfo.ObjectOf(id)] {
					r.add(roots, a.Rhs[min(i, len(a.Rhs)-1)])
				}
			}
			return true
		})
	}
	return roots
}

func (r *rule) add(roots map[types.Object]bool, e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := r.pass.TypesInfo.ObjectOf(id).(*types.Var); ok {
				roots[v] = true
			}
		}
		return true
	})
}

func (r *rule) mentions(e ast.Expr, roots map[types.Object]bool) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && roots[r.pass.TypesInfo.ObjectOf(id)] {
			found = true
		}
		return !found
	})
	return found
}
