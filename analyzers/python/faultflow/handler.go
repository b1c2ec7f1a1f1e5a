package faultflow

import (
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// answer of a question about a fault.
type answer uint8

const (
	no answer = iota
	yes
	maybe
)

func (x answer) not() answer {
	switch x {
	case yes:
		return no
	case no:
		return yes
	}
	return maybe
}

// sees finds the handler of a try that a fault meets first; 0: it passes them.
func (a *Analyzer) sees(u *unit, try syntax.Node) syntax.Node {
	for h := range u.tree.ChildrenOf(try, syntax.RoleHandler) {
		if u.tree.Kind(h) != syntax.ExceptHandler {
			continue
		}
		if t := u.tree.Child(h, syntax.RoleType); t == 0 || a.catches(u, t) == yes {
			return h
		}
	}
	return 0
}

// Sees finds the handler of a try that a fault meets first; 0: it passes them.
func (a *Analyzer) Sees(try syntax.Node) syntax.Node { return a.sees(a.here, try) }

// catches reports whether a handler of this type, or these, sees a fault.
func (a *Analyzer) catches(u *unit, t syntax.Node) answer {
	for e := range u.file.Names.Members(t) {
		if k := u.tree.Kind(e); k != syntax.Name && k != syntax.Attribute {
			continue
		}
		name := last(u.tree, e)
		if a.known.broad.Has(name) || a.known.runtime.Has(name) || a.known.fault.Has(name) {
			return yes
		}
	}
	return no
}

// Broad reports whether a handler is for every exception, and not for those of
// the runtime alone.
func (a *Analyzer) Broad(h syntax.Node) bool {
	t := a.here.tree.Child(h, syntax.RoleType)
	for n := range a.here.tree.Preorder(t) {
		if k := a.here.tree.Kind(n); (k == syntax.Name || k == syntax.Attribute) && a.known.broad.Has(last(a.here.tree, n)) {
			return true
		}
	}
	return t == 0
}

// fate is what a handler does with a fault.
type fate uint8

const (
	unasked fate = iota
	passes       // it leaves again on every path
	loses
)

// loses reports whether a fault that a handler sees does not leave it on every
// path.
func (a *Analyzer) loses(u *unit, h syntax.Node) bool {
	f := u.handlers[h]
	if f == unasked {
		f = passes
		if !a.handsOver(u, h) && a.goesOn(u, h) {
			f = loses
		}
		u.handlers[h] = f
	}
	return f == loses
}

// Loses reports whether a fault that a handler sees does not leave it on every
// path.
func (a *Analyzer) Loses(h syntax.Node) bool { return a.loses(a.here, h) }

// lostWithin reports whether a fault that a node raises is lost before it
// leaves the node above it whose block it stands in.
func (a *Analyzer) lostWithin(u *unit, n, top syntax.Node) bool {
	for c, p := n, u.tree.Parent(n); p != 0 && p != top; c, p = p, u.tree.Parent(p) {
		switch u.tree.Kind(p) {
		case syntax.With, syntax.AsyncWith:
			if u.tree.Role(c) == syntax.RoleBody && a.suppressing(u, p) != 0 {
				return true
			}
		case syntax.Try, syntax.TryStar:
			if u.tree.Role(c) == syntax.RoleBody {
				if h := a.sees(u, p); h != 0 && a.loses(u, h) {
					return true
				}
			}
			if u.tree.Role(c) != syntax.RoleFinal && u.jumpsOut(p) != 0 {
				return true
			}
		}
	}
	return false
}

// suppressing is the item of a with that suppresses faults; 0: none does.
func (a *Analyzer) suppressing(u *unit, with syntax.Node) syntax.Node {
	for item := range u.tree.ChildrenOf(with, syntax.RoleItem) {
		if a.suppresses(u, u.tree.Child(item, syntax.RoleContext)) {
			return item
		}
	}
	return 0
}

// Suppressing is the item of a with that suppresses faults; 0: none does.
func (a *Analyzer) Suppressing(with syntax.Node) syntax.Node { return a.suppressing(a.here, with) }

func (a *Analyzer) suppresses(u *unit, context syntax.Node) bool {
	if u.tree.Kind(context) != syntax.Call || !a.known.suppress.Has(last(u.tree, context)) {
		return false
	}
	for t := range u.tree.ChildrenOf(context, syntax.RoleArg) {
		if a.catches(u, t) == yes {
			return true
		}
	}
	return false
}

// JumpsOut finds what leaves the finally block of a try and so drops a fault: a
// return, a break, a continue. 0: nothing.
func (a *Analyzer) JumpsOut(try syntax.Node) syntax.Node { return a.here.jumpsOut(try) }

func (u *unit) jumpsOut(try syntax.Node) syntax.Node {
	found := syntax.Node(0)
	for s := range u.tree.ChildrenOf(try, syntax.RoleFinal) {
		u.tree.Walk(s, func(n syntax.Node) syntax.Walk {
			switch k := u.tree.Kind(n); {
			case k.IsFunction(), k == syntax.Lambda, k == syntax.ClassDef:
				return syntax.Over
			case k == syntax.Return, (k == syntax.Break || k == syntax.Continue) && !u.loopsWithin(n, try):
				found = n
				return syntax.Stop
			}
			return syntax.Into
		})
	}
	return found
}

func (u *unit) loopsWithin(n, top syntax.Node) bool {
	for p := range u.tree.Ancestors(n) {
		if p == top {
			return false
		}
		switch u.tree.Kind(p) {
		case syntax.For, syntax.AsyncFor, syntax.While:
			return true
		}
	}
	return false
}

// handsOver reports whether a handler gives the exception itself to somebody
// who raises it later: a future, a queue, a variable that is raised behind it.
func (a *Analyzer) handsOver(u *unit, h syntax.Node) bool {
	name := string(u.tree.Name(h))
	if name == "" {
		return false
	}
	found := false
	for s := range u.tree.ChildrenOf(h, syntax.RoleBody) {
		u.tree.Walk(s, func(n syntax.Node) syntax.Walk {
			switch u.tree.Kind(n) {
			case syntax.Call:
				found = found || u.given(n, name) && (a.known.handOver.Has(last(u.tree, u.tree.First(n))) || u.collected(h, n))
			case syntax.Return:
				found = found || u.carries(u.tree.First(n), name)
			case syntax.Assign:
				v := u.tree.Child(n, syntax.RoleValue)
				found = found || u.carries(v, name) && (u.tree.Kind(v) != syntax.Name || u.kept(h, n))
			}
			if found {
				return syntax.Stop
			}
			return syntax.Into
		})
	}
	return found
}

// given reports whether an argument of a call is the exception, alone or in a
// tuple.
func (u *unit) given(call syntax.Node, name string) bool {
	for arg := range u.tree.ChildrenOf(call, syntax.RoleArg) {
		if u.carries(arg, name) {
			return true
		}
	}
	return false
}

// carries reports whether an expression is the exception itself: its name,
// alone or within a tuple, a list of as many or a dict, not its text.
func (u *unit) carries(n syntax.Node, name string) bool {
	if n == 0 {
		return false
	}
	switch u.tree.Kind(n) {
	case syntax.Name:
		return string(u.tree.Name(n)) == name
	case syntax.Tuple, syntax.List, syntax.Dict, syntax.IfExp, syntax.BoolOp, syntax.BinOp:
		for c := range u.tree.Children(n) {
			if u.carries(c, name) {
				return true
			}
		}
	}
	return false
}

// kept reports whether what the exception is assigned to is an attribute, which
// others read, or a variable that is raised behind the handler.
func (u *unit) kept(h, assign syntax.Node) bool {
	for t := range u.tree.ChildrenOf(assign, syntax.RoleTarget) {
		if u.tree.Kind(t) != syntax.Name || u.raisedBehind(h, t) {
			return true
		}
	}
	return false
}

// collected reports whether a call puts the exception into a list of which one
// is raised behind the handler: errors.append(e), and raise errors[0] where the
// threads have been waited for.
func (u *unit) collected(h, call syntax.Node) bool {
	fun := u.tree.First(call)
	if u.tree.Kind(fun) != syntax.Attribute {
		return false
	}
	list := u.tree.First(fun)
	switch string(u.tree.Name(fun)) {
	case "append", "add", "insert", "setdefault":
		return u.tree.Kind(list) == syntax.Name && u.raisedBehind(h, list)
	}
	return false
}

// raisedBehind reports whether a variable, or something in it, is raised behind
// a handler, in the function that the variable belongs to.
func (u *unit) raisedBehind(h, variable syntax.Node) bool {
	name := string(u.tree.Name(variable))
	scope := u.file.Names.Resolve(variable, u.tree.Name(variable))
	if scope == 0 {
		scope = u.around(h)
	}
	raised := false
	u.tree.Walk(scope, func(n syntax.Node) syntax.Walk {
		if u.tree.Kind(n) == syntax.Raise && u.tree.Start(n) > u.tree.End(h) {
			raised = u.names(n, name) && u.onlyIf(n, scope, name)
		}
		if raised {
			return syntax.Stop
		}
		return syntax.Into
	})
	return raised
}

// onlyIf reports whether nothing but a variable itself decides whether a
// statement of a function runs: if errors, if len(errors) > 0.
func (u *unit) onlyIf(n, scope syntax.Node, name string) bool {
	for p := u.tree.Parent(n); p != 0 && p != scope; p = u.tree.Parent(p) {
		if u.tree.Kind(p) != syntax.If {
			continue
		}
		for c := range u.tree.Preorder(u.tree.Child(p, syntax.RoleTest)) {
			if id := string(u.tree.Name(c)); u.tree.Kind(c) == syntax.Name && id != name && id != "len" {
				return false
			}
		}
	}
	return true
}

// names reports whether a variable stands in a node.
func (u *unit) names(n syntax.Node, name string) bool {
	for c := range u.tree.Preorder(n) {
		if u.tree.Kind(c) == syntax.Name && string(u.tree.Name(c)) == name {
			return true
		}
	}
	return false
}

// ours reports whether a callee comes from trainvet's own package.
func (a *Analyzer) ours(u *unit, fun syntax.Node) bool {
	head := fun
	for u.tree.Kind(head) == syntax.Attribute {
		head = u.tree.First(head)
	}
	if u.tree.Kind(head) != syntax.Name {
		return false
	}
	for b := range u.file.Names.Lookup(head, u.tree.Name(head)) {
		switch b.How {
		case names.Import:
			if a.known.guardModule.Has(string(u.tree.Name(b.Value))) {
				return true
			}
		case names.From:
			from := u.tree.Parent(b.Value)
			if u.tree.Level(from) == 0 && a.known.guardModule.Has(string(u.tree.Name(u.tree.Child(from, syntax.RoleModule)))) {
				return true
			}
		}
	}
	return false
}
