package recoverswallows

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/trainvet/trainvet/analyzers/golang/faultflow"
)

// passesOn reports whether a handler lets anybody know: it panics again, ends
// the program, sets an error or a flag that is read outside, sends on a
// channel, or hands the panic to a function that does more than print. One
// such statement is enough; whether it runs on every path is not asked.
func (r *rule) passesOn(h *handler, owner ast.Node) bool {
	return r.tells(h.fn, h.body, owner, 0)
}

func (r *rule) tells(fn ast.Node, body *ast.BlockStmt, owner ast.Node, depth int) bool {
	told := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			told = true
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				told = told || r.sets(lhs, fn, owner)
			}
		case *ast.IncDecStmt:
			told = told || r.sets(n.X, fn, owner)
		case *ast.ReturnStmt:
			told = told || depth > 0 && len(n.Results) > 0 // a helper that makes an error of it: its caller is asked
		case *ast.CallExpr:
			told = told || r.callTells(n, owner, depth)
		}
		return !told
	})
	return told
}

// sets reports whether a variable that the handler sets is read elsewhere: a
// result, a variable of the function around it, a field.
func (r *rule) sets(lhs ast.Expr, fn, owner ast.Node) bool {
	switch lhs := ast.Unparen(lhs).(type) {
	case *ast.SelectorExpr, *ast.StarExpr, *ast.IndexExpr:
		t := r.pass.TypesInfo.TypeOf(lhs)
		return t != nil && !isNumber(t)
	case *ast.Ident:
		obj := r.outside(lhs, fn)
		if obj == nil {
			return false
		}
		return r.isResult(obj) || r.decides(obj, fn)
	}
	return false
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// isResult reports whether a variable is a named result.
func (r *rule) isResult(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && v.Kind() == types.ResultVar
}

// decides reports whether a variable is read outside the handler where it
// matters: in a condition, or as an error anywhere.
func (r *rule) decides(obj types.Object, fn ast.Node) bool {
	if obj.Parent() == r.pass.Pkg.Scope() {
		return !isNumber(obj.Type())
	}
	read := false
	for _, f := range r.pass.Files {
		if f.FileStart > obj.Pos() || obj.Pos() >= f.FileEnd {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if read || n == fn {
				return false
			}
			var where ast.Node
			switch n := n.(type) {
			case *ast.IfStmt:
				where = n.Cond
			case *ast.SwitchStmt:
				if n.Tag != nil {
					where = n.Tag
				}
			case *ast.ReturnStmt:
				if !isNumber(obj.Type()) {
					where = n
				}
			case *ast.CallExpr:
				if !isNumber(obj.Type()) {
					where = n
				}
			}
			read = where != nil && r.names(where, obj)
			return !read
		})
	}
	return read
}

func (r *rule) names(node ast.Node, obj types.Object) bool {
	found := false
	ast.Inspect(node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && r.pass.TypesInfo.Uses[id] == obj {
			found = true
		}
		return !found
	})
	return found
}

// callTells judges a call in a handler.
func (r *rule) callTells(call *ast.CallExpr, owner ast.Node, depth int) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if ok && r.pass.TypesInfo.Uses[id] == types.Universe.Lookup("panic") {
		return true
	}
	if _, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		return false // its body is visited
	}
	fn := r.callee(call)
	if fn == nil {
		return r.dynamic(call)
	}
	for _, arg := range call.Args {
		if t := r.pass.TypesInfo.TypeOf(arg); t != nil && r.flow.Told(t) {
			return true
		}
	}
	switch r.flow.Role(fn) {
	case faultflow.Shows:
		return false
	case faultflow.Ends:
		return true
	}
	if decl := r.decls[fn]; decl != nil {
		return depth < 3 && r.tells(decl, decl.Body, owner, depth+1)
	}
	return r.hands(call) && fn.Signature().Results().Len() == 0
}

// dynamic: a function value that is given something of the panic.
func (r *rule) dynamic(call *ast.CallExpr) bool {
	if tv, ok := r.pass.TypesInfo.Types[call.Fun]; !ok || tv.IsType() || tv.IsBuiltin() {
		return false
	}
	return r.hands(call)
}

// hands reports whether a call is given an error or the value of the panic.
func (r *rule) hands(call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		t := r.pass.TypesInfo.TypeOf(arg)
		if t == nil {
			continue
		}
		if iface, ok := t.Underlying().(*types.Interface); ok && (iface.NumMethods() == 0 || types.Identical(t, types.Universe.Lookup("error").Type())) {
			return true
		}
		if types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface)) {
			return true
		}
		if u, ok := ast.Unparen(arg).(*ast.UnaryExpr); ok && u.Op == token.AND {
			return true // the address of what it sets
		}
	}
	return false
}
