package faultflow

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// meetsAgain reports whether a statement of a handler decodes the ids again that
// the try decodes, and whose fault the handler has caught: the same check finds
// the same fault there, and nothing catches it.
//
//	try:
//	    return tok.decode(ids)
//	except TypeError, or whatever:
//	    return tok.decode([ids])
func (a *Analyzer) meetsAgain(u *unit, n, h syntax.Node) bool {
	switch u.tree.Kind(n) {
	case syntax.Return, syntax.ExprStmt, syntax.Assign:
	default:
		return false
	}
	ids := ""
	a.decodes(u, n, func(_ syntax.Node, name string) { ids = name })
	if ids == "" || a.lostWithin(u, n, h) {
		return false
	}
	only := true
	for s := range u.tree.ChildrenOf(u.tree.Parent(h), syntax.RoleBody) {
		same := syntax.Node(0)
		a.decodes(u, s, func(call syntax.Node, name string) {
			only = only && name == ids
			same = call
		})
		for c := range u.tree.Preorder(s) {
			if u.tree.Kind(c) == syntax.Call && c != same && a.sourceAt(u, c, maxDepth) != nil {
				return false // something else may be what has failed
			}
		}
	}
	return only
}

// decodes visits the decodes in a statement with the variable that holds the ids
// of each.
func (a *Analyzer) decodes(u *unit, n syntax.Node, visit func(call syntax.Node, ids string)) {
	for c := range u.tree.Preorder(n) {
		if k := u.sites[c]; u.tree.Kind(c) != syntax.Call || k != Decode && k != Stored && k != Host {
			continue
		}
		name := ""
		for id := range u.tree.Preorder(u.tree.Child(c, syntax.RoleArg)) {
			if u.tree.Kind(id) == syntax.Name {
				name = string(u.tree.Name(id))
				break
			}
		}
		visit(c, name)
	}
}
