// Package zerograd is TV401: a loop calls backward and step and clears the
// gradients nowhere, so that they add up over all batches.
//
// What a call does is data of the catalogue; a function of this package does
// what the functions that it calls do. A step of an engine that writes
// gradients instead of adding to them, or clears them itself, needs nothing. A
// loop that calls something out of sight whose name speaks of clearing is left
// alone. Gradients that are accumulated on purpose are cleared in the loop too.
package zerograd

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/golang/flow"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:     "zerograd",
	Doc:      "TV401: gradients are never cleared",
	Run:      run,
	Requires: []*analysis.Analyzer{unit.Analyzer},
}

// does is what a piece of code does, each with the call that shows it.
type does struct {
	zero     bool
	backward *ast.CallExpr
	step     *ast.CallExpr // a step that does not clear by itself
}

func (d *does) join(o does) {
	d.zero = d.zero || o.zero
	if d.backward == nil {
		d.backward = o.backward
	}
	if d.step == nil {
		d.step = o.step
	}
}

type rule struct {
	pass  *analysis.Pass
	table *catalog.Go
	decls map[*types.Func]*ast.FuncDecl
	memo  map[*types.Func]does
}

func run(pass *analysis.Pass) (any, error) {
	r := rule{pass: pass, table: catalog.Golang(), decls: map[*types.Func]*ast.FuncDecl{}, memo: map[*types.Func]does{}}
	if flow.Standard(pass) || !slices.ContainsFunc(pass.Pkg.Imports(), r.table.Lists) {
		return nil, nil // nearly every package
	}
	for _, f := range pass.Files {
		for _, d := range f.Decls {
			if decl, ok := d.(*ast.FuncDecl); ok && decl.Body != nil {
				if fn, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func); ok {
					r.decls[fn] = decl
				}
			}
		}
	}
	u := pass.ResultOf[unit.Analyzer].(*unit.Package)
	for _, f := range pass.Files {
		r.loops(u, f)
	}
	return nil, nil
}

// loops looks at each loop whose body does both; the innermost one is meant.
func (r *rule) loops(u *unit.Package, root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.ForStmt:
			body = n.Body
		case *ast.RangeStmt:
			body = n.Body
		default:
			return true
		}
		d := r.of(body)
		if d.zero || d.step == nil || d.backward == nil || u.Test(n.Pos()) || r.inner(body) {
			return true
		}
		u.Report(r.pass, unit.Finding{
			Code: "TV401", Pos: d.step.Pos(), End: d.step.End(),
			Message: "the gradients are cleared nowhere in this loop: they add up over all batches, and each step follows all batches before it",
			Related: []analysis.RelatedInformation{{Pos: d.backward.Pos(), Message: "gradients are added here"}, {Pos: n.Pos(), Message: "the loop"}},
		})
		return true
	})
}

// inner reports whether a loop within a body does both by itself.
func (r *rule) inner(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			d := r.of(n.Body)
			found = found || d.step != nil && d.backward != nil
		case *ast.RangeStmt:
			d := r.of(n.Body)
			found = found || d.step != nil && d.backward != nil
		}
		return !found
	})
	return found
}

// of collects what a piece of code does.
func (r *rule) of(root ast.Node) does {
	var d does
	ast.Inspect(root, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		d.join(r.call(call))
		return true
	})
	return d
}

func (r *rule) call(call *ast.CallExpr) does {
	obj, name := r.callee(call)
	fn, _ := obj.(*types.Func)
	if fn == nil {
		return does{zero: clears(name)}
	}
	if e := r.table.Find(fn); e != nil {
		return byEntry(e, call)
	}
	if decl := r.decls[fn.Origin()]; decl != nil {
		return r.declared(fn.Origin(), decl, call)
	}
	return does{zero: clears(name)}
}

func byEntry(e *catalog.Entry, call *ast.CallExpr) does {
	d := does{}
	for _, what := range e.Does {
		switch what {
		case catalog.DoesZeroGrad, "zero-grad-one":
			d.zero = true
		case catalog.DoesBackward:
			d.backward = call
		case catalog.DoesStep:
			d.step = call
		}
	}
	return d
}

// declared is what a function of this package does, seen from a call of it.
func (r *rule) declared(fn *types.Func, decl *ast.FuncDecl, call *ast.CallExpr) does {
	d, ok := r.memo[fn]
	if !ok {
		r.memo[fn] = does{} // a function that calls itself adds nothing
		d = r.of(decl.Body)
		r.memo[fn] = d
	}
	out := does{zero: d.zero}
	if d.backward != nil {
		out.backward = call
	}
	if d.step != nil {
		out.step = call
	}
	return out
}

func (r *rule) callee(call *ast.CallExpr) (types.Object, string) {
	fun := ast.Unparen(call.Fun)
	switch e := fun.(type) {
	case *ast.IndexExpr:
		fun = e.X
	case *ast.IndexListExpr:
		fun = e.X
	}
	switch e := fun.(type) {
	case *ast.Ident:
		return r.pass.TypesInfo.Uses[e], e.Name
	case *ast.SelectorExpr:
		return r.pass.TypesInfo.Uses[e.Sel], e.Sel.Name
	}
	return nil, ""
}

// clears reports whether a name speaks of clearing gradients.
func clears(name string) bool {
	low := strings.ToLower(name)
	return strings.Contains(low, "grad") && (strings.Contains(low, "zero") || strings.Contains(low, "clear") || strings.Contains(low, "reset"))
}
