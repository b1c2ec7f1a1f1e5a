package recoverswallows

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/golang/faultflow"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// declaresWrapper is the fast path's look at a package that has nothing to
// swallow itself: does it name recover at all?
func (r *rule) declaresWrapper() bool {
	for id, obj := range r.pass.TypesInfo.Uses {
		if id.Name == "recover" && obj == types.Universe.Lookup("recover") {
			return true
		}
	}
	return false
}

// wrappers finds the functions that call a parameter behind a recover that
// swallows, makes facts of them, and judges the calls that give them a
// function which comes to a guard, decode or step.
func (r *rule) wrappers() {
	for fn, decl := range r.decls {
		if i := r.swallowed(fn, decl); i >= 0 {
			r.pass.ExportObjectFact(fn, &Swallows{Param: i})
		}
	}
	if !r.flow.Concerned() {
		return
	}
	for _, f := range r.pass.Files {
		if r.unit.Test(f.Package) {
			continue
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				ast.Inspect(d, func(n ast.Node) bool {
					if call, ok := n.(*ast.CallExpr); ok {
						r.given(d, call)
					}
					return true
				})
			}
		}
	}
}

// swallowed is the parameter that a wrapper calls, or -1. The recover may
// stand in the wrapper itself or in a literal that it starts.
func (r *rule) swallowed(fn *types.Func, decl *ast.FuncDecl) int {
	found := -1
	ast.Inspect(decl, func(n ast.Node) bool {
		body := bodyOf(n)
		if body == nil || found >= 0 {
			return found < 0
		}
		for _, stmt := range body.List {
			d, ok := stmt.(*ast.DeferStmt)
			if !ok {
				continue
			}
			if h := r.handlerOf(d); h != nil && !r.passesOn(h, body) {
				found = r.called(fn, body)
			}
		}
		return true
	})
	return found
}

// called is the first parameter of function type that a body calls.
func (r *rule) called(fn *types.Func, body *ast.BlockStmt) int {
	found := -1
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		id, ok := ast.Unparen(call.Fun).(*ast.Ident)
		if !ok {
			return true
		}
		for i := range fn.Signature().Params().Len() {
			if found < 0 && r.pass.TypesInfo.Uses[id] == fn.Signature().Params().At(i) {
				found = i
			}
		}
		return true
	})
	return found
}

// given judges one call of a wrapper.
func (r *rule) given(around *ast.FuncDecl, call *ast.CallExpr) {
	fn := r.callee(call)
	var s Swallows
	if fn == nil || !r.pass.ImportObjectFact(fn, &s) || s.Param >= len(call.Args) {
		return
	}
	way := r.flow.Within(call.Args[s.Param])
	if way.Kinds == 0 {
		return
	}
	f := unit.Finding{
		Code: "TV210", Pos: call.Pos(), End: call.Fun.End(),
		Message: fmt.Sprintf("%s recovers and goes on, and so swallows what %s panics with: the item is left out, and the number is made of the rest", fn.Name(), way.Via),
		Related: []analysis.RelatedInformation{{Pos: way.At, Message: "the panic comes from here, " + way.Via + " lies below"}},
		Handler: faultflow.HandlerRow(r.pass, r.unit, call, around, fn.Name()),
	}
	if fn.Pos().IsValid() {
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: fn.Pos(), Message: "it is swallowed in here"})
	}
	r.unit.Report(r.pass, f)
}
