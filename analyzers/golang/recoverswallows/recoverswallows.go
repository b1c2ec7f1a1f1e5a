// Package recoverswallows is TV210: a deferred recover around a guard, decode
// or step that neither panics again nor turns the panic into an error. An
// impossible id panics in half of the tokenizers; behind such a recover the
// item is left out and the number is made of the rest.
package recoverswallows

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/golang/faultflow"
	"github.com/trainvet/trainvet/analyzers/golang/flow"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:      "recoverswallows",
	Doc:       "TV210: recover swallows a fault",
	Run:       run,
	Requires:  []*analysis.Analyzer{faultflow.Analyzer, unit.Analyzer},
	FactTypes: []analysis.Fact{(*Swallows)(nil)},
}

// Swallows is a fact of a function that calls one of its parameters and lets
// no panic out of it.
type Swallows struct{ Param int }

// AFact makes it one.
func (*Swallows) AFact() {}

func (s *Swallows) String() string { return fmt.Sprintf("swallows(%d)", s.Param) }

// rule is one run.
type rule struct {
	pass  *analysis.Pass
	flow  *faultflow.Result
	unit  *unit.Package
	decls map[*types.Func]*ast.FuncDecl
}

func run(pass *analysis.Pass) (any, error) {
	if flow.Standard(pass) {
		return nil, nil
	}
	r := &rule{
		pass: pass, decls: map[*types.Func]*ast.FuncDecl{},
		flow: pass.ResultOf[faultflow.Analyzer].(*faultflow.Result),
		unit: pass.ResultOf[unit.Analyzer].(*unit.Package),
	}
	// Fast path: nothing to swallow, and nobody above may be given a wrapper.
	if !r.flow.Concerned() && !r.declaresWrapper() {
		return nil, nil
	}
	for _, f := range pass.Files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				if fn, ok := pass.TypesInfo.Defs[d.Name].(*types.Func); ok {
					r.decls[fn] = d
				}
			}
		}
	}
	for _, f := range pass.Files {
		if !r.unit.Test(f.Package) {
			ast.Inspect(f, r.visit)
		}
	}
	r.wrappers()
	return nil, nil
}

// visit judges each function that defers a recover of its own.
func (r *rule) visit(n ast.Node) bool {
	body := bodyOf(n)
	if body == nil {
		return true
	}
	for _, stmt := range body.List {
		d, ok := stmt.(*ast.DeferStmt)
		if !ok {
			continue
		}
		h := r.handlerOf(d)
		if h == nil || r.passesOn(h, body) {
			continue
		}
		if way := r.below(body, d); way.Kinds != 0 {
			r.report(n, h, way)
		}
	}
	return true
}

func bodyOf(n ast.Node) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return n.Body
	case *ast.FuncLit:
		return n.Body
	}
	return nil
}

// handler is a deferred function that recovers.
type handler struct {
	call *ast.CallExpr // of recover
	fn   ast.Node      // the FuncLit or FuncDecl
	body *ast.BlockStmt
	at   ast.Node // what to mark, in this function
}

// handlerOf finds the recover of a defer: in its literal, or in a function of
// this package that it names.
func (r *rule) handlerOf(d *ast.DeferStmt) *handler {
	switch fun := ast.Unparen(d.Call.Fun).(type) {
	case *ast.FuncLit:
		if call := r.recoverIn(fun.Body); call != nil {
			return &handler{call, fun, fun.Body, call}
		}
	default:
		decl := r.decls[r.callee(d.Call)]
		if decl == nil {
			return nil
		}
		if call := r.recoverIn(decl.Body); call != nil {
			return &handler{call, decl, decl.Body, d}
		}
	}
	return nil
}

// recoverIn finds a call of recover that stops a panic: one directly in the
// deferred function.
func (r *rule) recoverIn(body *ast.BlockStmt) *ast.CallExpr {
	var found *ast.CallExpr
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && r.pass.TypesInfo.Uses[id] == types.Universe.Lookup("recover") {
				found = n
			}
		}
		return found == nil
	})
	return found
}

// below says what the function comes to but for that defer.
func (r *rule) below(body *ast.BlockStmt, but *ast.DeferStmt) faultflow.Way {
	for _, stmt := range body.List {
		if stmt == ast.Stmt(but) {
			continue
		}
		if way := r.flow.Within(stmt); way.Kinds != 0 {
			return way
		}
	}
	return faultflow.Way{}
}

func (r *rule) report(fn ast.Node, h *handler, way faultflow.Way) {
	f := unit.Finding{
		Code: "TV210", Pos: h.at.Pos(), End: h.at.End(),
		Message: fmt.Sprintf("recover swallows what %s panics with: the item is left out, and the number is made of the rest; panic again or return it as an error", way.Via),
		Related: []analysis.RelatedInformation{{Pos: way.At, Message: "the panic comes from here, " + way.Via + " lies below"}},
		Handler: faultflow.HandlerRow(r.pass, r.unit, h.fn, fn, "recover()"),
	}
	if h.at != ast.Node(h.call) {
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: h.call.Pos(), Message: "it is swallowed here"})
	}
	r.unit.Report(r.pass, f)
}

func (r *rule) callee(call *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	case *ast.IndexExpr:
		if x, ok := fun.X.(*ast.Ident); ok {
			id = x
		}
	}
	if id == nil {
		return nil
	}
	fn, ok := r.pass.TypesInfo.Uses[id].(*types.Func)
	if !ok {
		return nil
	}
	return fn.Origin()
}

func (r *rule) outside(id *ast.Ident, fn ast.Node) types.Object {
	obj := r.pass.TypesInfo.ObjectOf(id)
	if obj == nil || obj.Pos() == token.NoPos || fn.Pos() <= obj.Pos() && obj.Pos() < fn.End() {
		return nil
	}
	return obj
}
