package sites

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/golang/unit"
	"github.com/trainvet/trainvet/analyzers/site"
)

// ID names the place of a call or handler: its file, the declared function
// around it (closures belong to it, so that a new one shifts no names), and
// the callee. The ordinal is 1; equal places are numbered by their list.
func ID(pass *analysis.Pass, u *unit.Package, node, enclosing ast.Node) site.ID {
	return site.ID{Path: u.Position(node.Pos()).File, Func: FuncName(pass, node, enclosing), Callee: Callee(node), Ordinal: 1}
}

// module is the function of what stands outside of any.
const module = "<module>"

// FuncName is the qualified name of the declared function around a node:
// Tokenizer.Decode, main. Whether a method's receiver is a pointer is left out.
func FuncName(pass *analysis.Pass, node, enclosing ast.Node) string {
	if enclosing == nil {
		return module
	}
	decl, ok := enclosing.(*ast.FuncDecl)
	if !ok {
		decl = declAround(pass, node)
	}
	if decl == nil {
		return module
	}
	fn, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func)
	if !ok {
		return decl.Name.Name
	}
	return Qualified(fn)
}

// Qualified is a function's name with the type that declares it.
func Qualified(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Name()
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if named, ok := t.(*types.Named); ok {
		return named.Obj().Name() + "." + fn.Name()
	}
	return fn.Name()
}

func declAround(pass *analysis.Pass, node ast.Node) *ast.FuncDecl {
	for _, f := range pass.Files {
		if f.FileStart > node.Pos() || node.Pos() >= f.FileEnd {
			continue
		}
		for _, d := range f.Decls {
			if decl, ok := d.(*ast.FuncDecl); ok && decl.Pos() <= node.Pos() && node.Pos() < decl.End() {
				return decl
			}
		}
	}
	return nil
}

// Callee is how a call names what it calls: the last part of the receiver and
// the name, as in tokenizer.Decode for d.tokenizer.Decode(ids).
func Callee(node ast.Node) string {
	e, ok := node.(ast.Expr)
	if call, isCall := node.(*ast.CallExpr); isCall {
		e, ok = call.Fun, true
	}
	if !ok {
		return "?"
	}
	return tail(e, 2)
}

// tail writes the last parts of a chain of selectors.
func tail(e ast.Expr, parts int) string {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return tail(e.X, parts)
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		if parts == 1 {
			return e.Sel.Name
		}
		return tail(e.X, parts-1) + "." + e.Sel.Name
	case *ast.IndexExpr:
		return strings.TrimSuffix(tail(e.X, parts), "[]") + "[]"
	case *ast.IndexListExpr:
		return tail(e.X, parts) + "[]"
	case *ast.CallExpr:
		return tail(e.Fun, parts) + "()"
	case *ast.StarExpr:
		return "*" + tail(e.X, parts)
	case *ast.UnaryExpr:
		return tail(e.X, parts)
	case *ast.TypeAssertExpr:
		return tail(e.X, parts)
	case *ast.FuncLit:
		return "func"
	case *ast.CompositeLit:
		if e.Type != nil {
			return tail(e.Type, parts)
		}
	}
	return "?"
}

// number sets the IDs and tells equal ones of equal shape apart by their
// order: an ordinal among different shapes would let one site inherit the
// exemption of another.
func number(list []*Site, id func(*Site) site.ID) {
	type key struct {
		id    site.ID
		kind  site.Kind
		shape site.Shape
	}
	seen := map[key]int{}
	for _, s := range list {
		s.ID = id(s)
		k := key{s.ID, s.Kind, s.Shape}
		seen[k]++
		s.ID.Ordinal = seen[k]
	}
}
