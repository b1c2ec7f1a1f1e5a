package faultflow

import (
	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// goesOn reports whether a path that a fault can take leads out of a handler
// without an exception.
func (a *Analyzer) goesOn(u *unit, h syntax.Node) bool {
	g := u.graph(u.around(h))
	if g.Cut() {
		return false // too large to follow: nothing is said
	}
	for v := range g.At(h) {
		if g.Reached(v) && len(a.exits(u, g, h, v)) > 0 {
			return true
		}
	}
	return false
}

// exits are the vertices behind a handler to which a path leads that a fault
// can take.
func (a *Analyzer) exits(u *unit, g *flow.Graph, h syntax.Node, from flow.Vertex) []flow.Vertex {
	var out []flow.Vertex
	name := string(u.tree.Name(h))
	a.follow(u, g, from, name, func(v flow.Vertex) bool {
		if u.inside(g, h, v) {
			return true
		}
		out = append(out, v)
		return false
	}, h)
	return out
}

// follow walks the edges that a fault of this name can take, without those of
// exceptions; visit says whether to go on behind a vertex.
func (a *Analyzer) follow(u *unit, g *flow.Graph, from flow.Vertex, name string, visit func(flow.Vertex) bool, h syntax.Node) {
	seen := make([]bool, g.Len())
	seen[from] = true
	stack := []flow.Vertex{from}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := g.Node(v)
		if n != 0 && n != h && (a.raises(u, n, name) || h != 0 && a.meetsAgain(u, n, h)) {
			continue
		}
		for e := range g.Out(v) {
			if e.Kind == flow.Exception || seen[e.Vertex] || v == from && h != 0 && e.Kind == flow.False || !a.possible(u, n, h, name, e.Kind) {
				continue
			}
			seen[e.Vertex] = true
			if visit(e.Vertex) {
				stack = append(stack, e.Vertex)
			}
		}
	}
}

// inside reports whether a vertex lies in a node; those of a finally block
// around the handler do not.
func (u *unit) inside(g *flow.Graph, h syntax.Node, v flow.Vertex) bool {
	for p := g.Node(v); p != 0; p = u.tree.Parent(p) {
		if p == h {
			return true
		}
	}
	return false
}

// possible reports whether a fault can take an edge: isinstance(e, Fault) holds
// for it, isinstance(e, KeyError) does not.
func (a *Analyzer) possible(u *unit, n, h syntax.Node, name string, kind flow.Kind) bool {
	if n == 0 || n == h || u.tree.Kind(n) != syntax.If || kind != flow.True && kind != flow.False {
		return true
	}
	switch a.isFault(u, u.tree.Child(n, syntax.RoleTest), name, maxHelpers) {
	case yes:
		return kind == flow.True
	case no:
		return kind == flow.False
	}
	return true
}

// maxHelpers is through how many functions a test is followed.
const maxHelpers = 2

// isFault answers a test about a caught fault.
func (a *Analyzer) isFault(u *unit, test syntax.Node, name string, depth int) answer {
	switch u.tree.Kind(test) {
	case syntax.UnaryOp:
		if u.tree.Op(test) == syntax.Not {
			return a.isFault(u, u.tree.First(test), name, depth).not()
		}
	case syntax.BoolOp:
		return a.either(u, test, name, depth)
	case syntax.Compare:
		return u.says(test, u.textsIn(test, name))
	case syntax.Call:
		object := u.tree.Child(test, syntax.RoleArg)
		if name == "" || object == 0 || string(u.tree.Source(object)) != name {
			return u.says(test, u.textsIn(test, name))
		}
		if last(u.tree, u.tree.First(test)) == "isinstance" {
			return a.isOf(u, u.tree.Next(object))
		}
		return a.predicate(u, test, object, depth)
	}
	return maybe
}

// textsIn are the names that hold the exception and its text where a test
// stands: in its handler, or in a function that is given the exception.
func (u *unit) textsIn(test syntax.Node, name string) texts {
	for p := range u.tree.Ancestors(test) {
		switch k := u.tree.Kind(p); {
		case k == syntax.ExceptHandler && string(u.tree.Name(p)) == name:
			return u.textOf(p)
		case k.IsFunction():
			return texts{exception: name}
		}
	}
	return texts{exception: name}
}

// isOf answers isinstance(fault, t): a fault is one, and an Exception.
func (a *Analyzer) isOf(u *unit, t syntax.Node) answer {
	if t == 0 {
		return maybe
	}
	if a.catches(u, t) == yes {
		return yes
	}
	return no
}

// either answers a test of several.
func (a *Analyzer) either(u *unit, test syntax.Node, name string, depth int) answer {
	decides, rest := yes, no // of an or: one that holds, else all must fail
	if u.tree.Op(test) == syntax.And {
		decides, rest = no, yes
	}
	out := rest
	for c := range u.tree.Children(test) {
		switch got := a.isFault(u, c, name, depth); got {
		case decides:
			return decides
		case maybe:
			out = maybe
		}
	}
	return out
}

// predicate answers what a function of the tree says of a fault: what all of
// its returns say that a fault can reach.
func (a *Analyzer) predicate(u *unit, call, object syntax.Node, depth int) answer {
	fn := a.callee(u, call)
	param := a.parameter(u, fn, call, object)
	if depth == 0 || param == 0 {
		return maybe
	}
	other := a.away(fn.File)
	g := other.graph(fn.Def)
	if g.Cut() {
		return maybe
	}
	name := string(other.tree.Name(param))
	var said [3]bool
	a.follow(other, g, flow.Entry, name, func(v flow.Vertex) bool {
		n := g.Node(v)
		switch {
		case v == flow.Exit || n == 0:
		case other.tree.Kind(n) == syntax.Return:
			said[a.returned(other, n, name, depth-1)] = true
		}
		return true
	}, 0)
	switch said {
	case [3]bool{yes: true}:
		return yes
	case [3]bool{no: true}:
		return no
	}
	return maybe
}

func (a *Analyzer) returned(u *unit, ret syntax.Node, name string, depth int) answer {
	v := u.tree.First(ret)
	if v != 0 && u.tree.Kind(v) == syntax.Constant {
		switch u.tree.Op(v) {
		case syntax.True:
			return yes
		case syntax.False, syntax.NoneValue:
			return no
		}
		return maybe
	}
	if v == 0 {
		return no
	}
	return a.isFault(u, v, name, depth)
}

// parameter is what a function calls the argument of a call; 0: it is not seen.
func (a *Analyzer) parameter(u *unit, fn calls.Func, call, object syntax.Node) syntax.Node {
	if fn.Def == 0 {
		return 0
	}
	for p := range fn.File.Syntax.ChildrenOf(fn.Def, syntax.RoleParam) {
		if calls.Argument(u.file, call, fn, p) == object {
			return p
		}
	}
	return 0
}

// raises reports whether a statement calls a function that never returns, or
// never when it is given a fault.
func (a *Analyzer) raises(u *unit, n syntax.Node, name string) bool {
	call := u.tree.First(n)
	if u.tree.Kind(n) != syntax.ExprStmt || u.tree.Kind(call) != syntax.Call {
		return false
	}
	fn := a.callee(u, call)
	if fn.Def == 0 || fn.File.Syntax.Kind(fn.Def) != syntax.FunctionDef {
		return false
	}
	other := a.away(fn.File)
	if a.neverReturns(other, fn.Def) {
		return true
	}
	for arg := range u.tree.ChildrenOf(call, syntax.RoleArg) {
		if name != "" && u.carries(arg, name) {
			if p := a.parameter(u, fn, call, arg); p != 0 && !a.returns(other, fn.Def, string(other.tree.Name(p))) {
				return true
			}
		}
	}
	return false
}

func (a *Analyzer) neverReturns(u *unit, def syntax.Node) bool {
	r, ok := u.raising[def]
	if !ok {
		u.raising[def] = false
		g := u.graph(def)
		r = !g.Cut() && !g.Reached(flow.Exit)
		u.raising[def] = r
	}
	return r
}

// returns reports whether a function can return that is given a fault.
func (a *Analyzer) returns(u *unit, def syntax.Node, param string) bool {
	k := given{def, param}
	if r, ok := u.returning[k]; ok {
		return r
	}
	u.returning[k] = true // of one that calls itself
	g := u.graph(def)
	if g.Cut() {
		return true
	}
	found := false
	a.follow(u, g, flow.Entry, param, func(v flow.Vertex) bool {
		found = found || v == flow.Exit
		return true
	}, 0)
	u.returning[k] = found
	return found
}

// maxAfter bounds the statements that are looked at behind a handler: a function
// of thousands of handlers must not cost their square.
const maxAfter = 300

// After lists the statements that run behind a handler when a fault is lost in
// it, nearest first in the order of the flow: those to which a path leads that
// the fault can take.
func (a *Analyzer) After(h syntax.Node) []syntax.Node {
	u := a.here
	g := u.graph(u.around(h))
	if g.Cut() {
		return nil
	}
	var out []syntax.Node
	seen := make([]bool, g.Len())
	var stack []flow.Vertex
	for v := range g.At(h) {
		stack = append(stack, a.exits(u, g, h, v)...)
	}
	for len(stack) > 0 && len(out) < maxAfter {
		v := stack[0]
		stack = stack[1:]
		if seen[v] {
			continue
		}
		seen[v] = true
		if n := g.Node(v); n != 0 {
			out = append(out, n)
		}
		for e := range g.Out(v) {
			if e.Kind != flow.Exception && !seen[e.Vertex] {
				stack = append(stack, e.Vertex)
			}
		}
	}
	return out
}
