package faultflow

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/golang/sites"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// Of lists the losses of one kind.
func (r *Result) Of(k Kind) []Loss {
	var out []Loss
	for _, l := range r.Losses() {
		if l.Kind == k {
			out = append(out, l)
		}
	}
	return out
}

// Finding is the report of a loss with both of its ends: where the fault comes
// from, each hop, where it is lost. The rule adds code and message.
func (l Loss) Finding(pass *analysis.Pass) unit.Finding {
	u := pass.ResultOf[unit.Analyzer].(*unit.Package)
	f := unit.Finding{Pos: l.Node.Pos(), End: headEnd(l.Node), Handler: HandlerRow(pass, u, l.Node, l.Fn, l.Label)}
	f.Related = append(f.Related, analysis.RelatedInformation{Pos: l.Call.Pos(), End: l.Call.End(), Message: "the fault comes from here: " + l.Source()})
	for _, h := range l.Hops {
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: h.At, Message: h.Name + " passes it on"})
	}
	if l.End.IsValid() {
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: l.End, Message: "it is lost here: " + l.How})
	}
	return f
}

// Source says in words where the fault of a loss comes from: the call, and
// each hop from there down to the guard.
func (l Loss) Source() string {
	hops := slices.Clone(l.Fault.Via)
	slices.Reverse(hops)
	hops = append(hops, l.Fault.Guard)
	if called := label(l.Call); sameFunction(hops[0], called) {
		hops = hops[1:]
		if len(hops) == 0 {
			return called + " is a guard"
		}
		return called + " returns the fault of " + strings.Join(hops, ", that of ")
	}
	return label(l.Call) + " returns the fault of " + strings.Join(hops, ", that of ")
}

// sameFunction holds a function's name against how a call names it.
func sameFunction(name, called string) bool {
	last := func(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }
	return last(name) == last(called)
}

// HandlerRow names a place that a ledger row of kind catch can exempt.
func HandlerRow(pass *analysis.Pass, u *unit.Package, node, fn ast.Node, label string) *unit.Handler {
	id := sites.ID(pass, u, node, fn)
	id.Callee = label
	return &unit.Handler{ID: id, Shape: sites.Shape(node), Node: node}
}

// headEnd is where the head of a statement ends: a finding marks the line that
// a reader looks for, not a page.
func headEnd(n ast.Node) token.Pos {
	switch n := n.(type) {
	case *ast.IfStmt:
		return n.Cond.End()
	case *ast.CaseClause:
		return n.Colon
	case *ast.ForStmt:
		return n.Body.Lbrace
	}
	return n.End()
}
