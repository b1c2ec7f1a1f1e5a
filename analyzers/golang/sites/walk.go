package sites

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/site"
)

// walker goes through a file and knows which function it is in.
type walker struct {
	visit     func(name *ast.Ident, node, enclosing ast.Node, escapes bool)
	lookup    func(n *ast.IndexExpr, enclosing ast.Node) // nil: not asked for
	enclosing ast.Node
	written   map[*ast.IndexExpr]bool // elements that are assigned to
	called    map[*ast.Ident]bool     // names that were visited as the callee of a call
}

// Visit implements ast.Visitor.
func (w *walker) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.FuncDecl, *ast.FuncLit:
		inner := *w
		inner.enclosing = n
		return &inner
	case *ast.AssignStmt:
		for _, lhs := range n.Lhs {
			if index, ok := lhs.(*ast.IndexExpr); ok && w.written != nil {
				w.written[index] = true
			}
		}
	case *ast.IndexExpr:
		if w.lookup != nil && !w.written[n] {
			w.lookup(n, w.enclosing)
		}
	case *ast.CallExpr:
		if name := calleeName(n.Fun); name != nil {
			w.called[name] = true
			w.visit(name, n, w.enclosing, false)
		}
	case *ast.SelectorExpr:
		if !w.called[n.Sel] {
			w.called[n.Sel] = true
			w.visit(n.Sel, n, w.enclosing, true)
		}
	case *ast.Ident:
		if !w.called[n] {
			w.visit(n, n, w.enclosing, true)
		}
	}
	return w
}

// calleeName finds the identifier that a call calls: through parentheses and
// explicit type arguments.
func calleeName(fun ast.Expr) *ast.Ident {
	for {
		switch e := fun.(type) {
		case *ast.ParenExpr:
			fun = e.X
		case *ast.IndexExpr:
			fun = e.X
		case *ast.IndexListExpr:
			fun = e.X
		case *ast.SelectorExpr:
			return e.Sel
		case *ast.Ident:
			return e
		default:
			return nil
		}
	}
}

// look adds a site when name stands for a callee that makes one.
func (r *Result) look(name *ast.Ident, node, enclosing ast.Node, escapes bool) {
	var m match
	var ok bool
	callee, _ := r.pass.TypesInfo.Uses[name].(*types.Func)
	switch obj := r.pass.TypesInfo.Uses[name].(type) {
	case *types.Func:
		m, ok = r.match(obj)
	case *types.Var:
		// A variable or field of function type: only its call is a site, what
		// was put into it is an escape of its own.
		if sig, isFunc := types.Unalias(obj.Type()).Underlying().(*types.Signature); isFunc && !escapes {
			m, ok = r.bySignature(obj.Name(), sig, nil)
		}
	}
	if !ok {
		return
	}
	s := &Site{Kind: m.kind, Call: node, Callee: callee, Entry: m.entry, IDs: m.ids, Escapes: escapes, By: m.by, Enclosing: enclosing, ByName: guessable(name.Name)}
	s.Shape = Shape(node)
	r.List = append(r.List, s)
	if call, isCall := node.(*ast.CallExpr); isCall {
		r.at[call] = s
	}
}

// guessable reports whether a reader who looks for decode and step by name
// would have stopped here.
func guessable(name string) bool {
	low := strings.ToLower(name)
	return strings.Contains(low, "decode") || strings.Contains(low, "detokeniz") || strings.HasSuffix(low, "step")
}

type match struct {
	kind  site.Kind
	entry *catalog.Entry
	ids   int
	by    string
}

// match says whether a function or method is a site when it is called: what
// its author says comes first, then the catalogue, then its signature.
func (r *Result) match(fn *types.Func) (match, bool) {
	if d, ok := r.directive(fn); ok {
		switch {
		case d.Decode >= 0:
			return match{site.Decode, nil, d.Decode, "directive"}, true
		case d.Step:
			return match{site.Step, nil, -1, "directive"}, true
		}
	}
	if e := r.table.Find(fn); e != nil {
		kind, ok := kinds[e.Kind]
		return match{kind, e, e.IDs, "catalogue " + e.String()}, ok
	}
	var recv types.Type
	if v := fn.Signature().Recv(); v != nil {
		recv = v.Type()
	}
	return r.bySignature(fn.Name(), fn.Signature(), recv)
}

// kinds are the kinds of the catalogue that are sites.
var kinds = map[catalog.Kind]site.Kind{
	catalog.Decode:   site.Decode,
	catalog.Step:     site.Step,
	catalog.Implicit: site.Implicit,
}
