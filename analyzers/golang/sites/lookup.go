package sites

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

// lookUp adds the barest decode there is: a map from ids to words that is read
// without asking whether the id is in it. An unknown id answers "" then, and
// the text goes on without it. The second result of a lookup tells, and the
// index of a list panics: neither is quiet. The map, or its type, must be named
// as a vocabulary, since numbers are mapped to words for many reasons.
func (r *Result) lookUp(n *ast.IndexExpr, enclosing ast.Node) {
	info := r.pass.TypesInfo
	m := info.TypeOf(n.X)
	if m == nil {
		return
	}
	table, ok := m.Underlying().(*types.Map)
	if !ok || !IsID(table.Key()) || !isText(table.Elem()) || info.Types[n.Index].Value != nil {
		return
	}
	if _, asks := info.TypeOf(n).(*types.Tuple); asks || !r.vocabulary(n.X, m) {
		return
	}
	r.List = append(r.List, &Site{Kind: site.Decode, Call: n, IDs: -1, By: "lookup", Enclosing: enclosing, Shape: Shape(n)})
}

func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// vocabulary reports whether a map is named as one, by itself or by its type.
func (r *Result) vocabulary(x ast.Expr, t types.Type) bool {
	names := []string{tail(x, 1)}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		names = append(names, named.Obj().Name())
	}
	for _, name := range names {
		low := strings.ToLower(name)
		for _, word := range r.table.Words("vocabulary-words") {
			if strings.Contains(low, word) {
				return true
			}
		}
	}
	return false
}
