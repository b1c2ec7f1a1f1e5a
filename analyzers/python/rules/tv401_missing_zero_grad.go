package rules

import (
	"bytes"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv401: gradients add up. Where nothing clears them, each step follows the sum
// over all batches so far.
func tv401() Rule {
	return Rule{
		Code:  "TV401",
		Needs: [][]string{{"backward("}, {".step("}},
		Check: func(f *File, r *Report) {
			if f.Uses(Lightning | DeepSpeed | Fairseq | SpeechBrain | Engine) {
				return
			}
			steps := f.stepCalls()
			seen := map[syntax.Node]bool{}
			for _, b := range f.backwards() {
				for _, s := range steps {
					loop := f.commonLoop(b.call, s.call)
					if f.Function(b.call) == f.Function(s.call) && f.Loop(b.call) == 0 && f.Loop(s.call) == 0 {
						f.stepOfLoop(r, s, b, seen)
						continue
					}
					if loop == 0 || seen[loop] || f.Function(b.call) != f.Function(s.call) || !f.addsUp(b, s, loop) {
						continue
					}
					seen[loop] = true
					r.Add(f.neverCleared(s, b, loop))
				}
			}
		},
	}
}

// stepOfLoop looks at a function that is one step and is called in a loop of this
// file, in which nothing at all clears gradients.
func (f *File) stepOfLoop(r *Report, s stepCall, b backward, seen map[syntax.Node]bool) {
	def := f.Function(s.call)
	positional, keywords := f.args(s.call)
	if def == f.Root() || seen[def] || !f.isScaler(f.Receiver(s.call)) && positional+keywords > 0 || f.isFresh(s.optimizer, def) || f.ownStep(s.optimizer) || f.clearsFor(s) {
		return
	}
	loop := syntax.Node(0)
	for _, at := range f.Calls.Callers(def) {
		if l := f.Loop(at); f.Kind(at) == syntax.Call && l != 0 {
			loop = l
		}
	}
	if loop == 0 || f.handsOn(def, s.optimizer) || f.clearsInside(def) || !f.leads(b.call, s.call, nil, nil) {
		return
	}
	seen[def] = true
	r.Add(f.neverCleared(s, b, loop))
}

// clearsFor reports whether anything in the file may clear what a step steps on.
// Of an optimizer that an object keeps for itself, other classes than its own,
// those that it is made of and those that are made of it have no say.
func (f *File) clearsFor(s stepCall) bool {
	class := f.Names.Class(s.call)
	if f.Kind(s.optimizer) != syntax.Attribute || !f.Names.IsSelf(f.First(s.optimizer)) || !f.standsAlone(class) {
		return f.clearsWithin(f.Root(), 0, nil)
	}
	for stmt := range f.Children(f.Root()) {
		other := f.Kind(stmt) == syntax.ClassDef && stmt != class && f.standsAlone(stmt) && !f.names(stmt, f.Name(class))
		if !other && f.clearsWithin(stmt, 0, nil) {
			return true
		}
	}
	return false
}

// standsAlone reports whether a class at the top of a file takes nothing from
// another one but from what every class or network does.
func (f *File) standsAlone(class syntax.Node) bool {
	if class == 0 || f.Parent(class) != f.Root() {
		return false
	}
	for b := range f.ChildrenOf(class, syntax.RoleBase) {
		switch f.Last(b) {
		case "object", "Module", "ABC":
		default:
			return false
		}
	}
	return true
}

// names reports whether a name stands in a part of the tree.
func (f *File) names(within syntax.Node, name []byte) bool {
	for n := range f.Preorder(within) {
		if f.Kind(n) == syntax.Name && string(f.Name(n)) == string(name) {
			return true
		}
	}
	return false
}

// addsUp reports whether the gradients of a turn are still there in the next.
func (f *File) addsUp(b backward, s stepCall, loop syntax.Node) bool {
	positional, keywords := f.args(s.call)
	if !f.isScaler(f.Receiver(s.call)) && positional+keywords > 0 { // a closure, a context of distributed autograd
		return false
	}
	if f.isFresh(s.optimizer, loop) || f.clearsWithin(loop, 2, func(c syntax.Node) bool { return f.clearsElse(c, s, loop) }) || f.handsOn(loop, s.optimizer) {
		return false
	}
	if !f.leads(b.call, s.call, []syntax.Node{loop}, nil) {
		return false
	}
	return f.leads(s.call, b.call, nil, nil) && !f.ownStep(s.optimizer) && !f.clearsInside(loop)
}

// clearsInside reports whether an object that is called in a part of the tree
// clears gradients by itself: a model whose forward() calls zero_grad().
func (f *File) clearsInside(within syntax.Node) bool {
	if f.Across == nil {
		return false
	}
	for call := range f.Within(within) {
		if f.Kind(call) != syntax.Call {
			continue
		}
		fn := f.Across.Callee(f.View, call)
		if class := f.Across.ClassOf(f.View, f.First(call)); class.Is == calls.Class {
			fn = f.Across.Method(class, []byte("forward"))
		}
		if fn.Def != 0 && bytes.Contains(fn.File.Syntax.Source(fn.Def), []byte("zero_grad(")) {
			return true
		}
	}
	return false
}

// clearsElse reports whether a clear in a loop does nothing for a step: it
// stands in the other arm of a test that comes out the same in each turn, or is
// one of another optimizer, made of another model.
func (f *File) clearsElse(clear syntax.Node, s stepCall, loop syntax.Node) bool {
	if f.Function(clear) == f.Function(s.call) && flow.Exclusive(f.Tree, clear, s.call) {
		for p := f.Parent(clear); p != 0 && p != loop; p = f.Parent(p) {
			if f.Holds(p, s.call) {
				return f.Kind(p) == syntax.If && f.settledBefore(f.Child(p, syntax.RoleTest), loop)
			}
		}
	}
	mine, other := f.modelOf(s.optimizer), f.modelOf(f.Receiver(clear))
	return mine != "" && other != "" && !covers(mine, other) && !covers(other, mine)
}

// settledBefore reports whether a test asks about what a loop does not change:
// names and attributes that nothing in it binds.
func (f *File) settledBefore(test, loop syntax.Node) bool {
	for n := range f.Preorder(test) {
		switch f.Kind(n) {
		case syntax.Call:
			return false
		case syntax.Name, syntax.Attribute:
			if f.bindsWithin(loop, string(f.Name(n))) {
				return false
			}
		}
	}
	return true
}

// bindsWithin reports whether a name or an attribute is bound in a part of the
// tree.
func (f *File) bindsWithin(n syntax.Node, name string) bool {
	for c := range f.Preorder(n) {
		if k := f.Kind(c); (k == syntax.Name || k == syntax.Attribute) && f.Context(c) != syntax.Load && string(f.Name(c)) == name {
			return true
		}
	}
	return false
}

// modelOf is the model whose parameters an optimizer is made of, where it is
// made once, of those alone: Adam(net.parameters()); empty: it is not known.
func (f *File) modelOf(optimizer syntax.Node) string {
	list, sure := f.Values(optimizer)
	if !sure || len(list) != 1 || f.Kind(list[0]) != syntax.Call || !listed("optimizer-class", f.Last(f.First(list[0]))) {
		return ""
	}
	params := f.ArgOr(list[0], 0, "params")
	if f.Kind(params) != syntax.Call || f.Last(f.First(params)) != "parameters" {
		return ""
	}
	return chainOf(f.Tree, f.First(f.First(params)))
}

// isFresh reports whether an optimizer, or the model, is made anew in each turn.
func (f *File) isFresh(o, loop syntax.Node) bool {
	for _, at := range f.binds(f.Function(o), o) {
		if f.Holds(loop, at) {
			return true
		}
	}
	return false
}

// ownStep reports whether an optimizer is made by a class of this file: its
// step may clear.
func (f *File) ownStep(o syntax.Node) bool {
	list, _ := f.Values(o)
	for _, v := range list {
		if f.Kind(v) == syntax.Call && (f.calleeOf(v) != 0 || strings.Contains(f.Last(f.First(v)), "Noam") || f.isOwnClass(v)) {
			return true
		}
	}
	return false
}

func (f *File) isOwnClass(call syntax.Node) bool {
	name := f.Last(f.First(call))
	for c := range f.All(syntax.ClassDef) {
		if string(f.Name(c)) == name {
			return true
		}
	}
	return false
}

func (f *File) neverCleared(s stepCall, b backward, loop syntax.Node) Finding {
	out := Finding{
		At:      s.call,
		Message: "the gradients of " + f.Src(s.optimizer) + " are cleared nowhere in this loop: each step follows the sum over all batches before it",
		Related: []Related{{At: b.call, Message: "added up here"}, {At: loop, Message: "the loop"}},
	}
	if k := f.Kind(s.optimizer); (k == syntax.Name || k == syntax.Attribute) && f.Kind(f.Parent(s.call)) == syntax.ExprStmt {
		at := s.call
		if f.isScaler(f.Receiver(s.call)) {
			for _, u := range f.ofScaler(f.Function(s.call), f.Receiver(s.call), "update") {
				if f.Parent(f.Parent(u)) == f.Parent(f.Parent(s.call)) && f.Kind(f.Parent(u)) == syntax.ExprStmt {
					at = u
				}
			}
		}
		out.Fixes = []Fix{{Message: "clear the gradients once per step", Edits: []Edit{f.After(at, f.Src(s.optimizer)+".zero_grad(set_to_none=True)")}}}
	}
	return out
}
