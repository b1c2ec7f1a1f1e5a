package guarded

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/sites"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// step computes the state of a step.
func (a *Analyzer) step(s *sites.Site) State {
	open := State{State: site.Uncounted, Why: "nothing tells whether the step was skipped"}
	if s.Escapes {
		open.Why = "passed on as a value: who calls it is not followed"
		return open
	}
	fn := a.around(s.Call)
	seen := a.counting(fn)
	if !seen.flagReported && !seen.scaleReported {
		seen = a.countingClass(s.Call, seen)
	}
	if flag, reported := seen.flag, seen.flagReported; flag != 0 {
		text := string(a.tree.Name(flag))
		if reported {
			return State{State: site.Counted, Why: text + " is read and reported", Guard: flag, Text: text}
		}
		open.Why, open.Guard, open.Text = text+" is read, but only to decide what runs: nobody learns of a skip", flag, text
	}
	if h := a.overflows(s.Call); h != 0 {
		return State{State: site.Counted, Why: "a handler reports its overflow", Guard: h, Text: "a handler of the overflow"}
	}
	if n, reported := seen.scale, seen.scaleReported; n != 0 {
		text := "a comparison of the scale"
		if reported {
			return State{State: site.CountedWeak, Why: "counted by the scale, which stays the same at its floor and sinks once for several optimizers", Guard: n, Text: text}
		}
		open.Why, open.Guard, open.Text = "the scale is compared, but only to decide what runs: nobody learns of a skip", n, text
	}
	switch s.Class {
	case sites.Optimizer, sites.Engine, sites.Framework, sites.Params:
		return a.plain(s, fn, open)
	}
	return open
}

// own visits the nodes of a function, those of functions within it aside.
func (a *Analyzer) own(fn syntax.Node, visit func(syntax.Node)) {
	a.tree.Walk(fn, func(n syntax.Node) syntax.Walk {
		if n != fn && a.tree.Kind(n).IsFunction() {
			return syntax.Over
		}
		visit(n)
		return syntax.Into
	})
}

// reported reports whether somebody learns of a value: it is returned, kept in
// an attribute, counted, printed, logged, raised on, or decides whether that is
// done.
func (a *Analyzer) reported(fn, n syntax.Node, hops int) bool {
	for c, p := n, a.tree.Parent(n); p != 0; c, p = p, a.tree.Parent(p) {
		switch k := a.tree.Kind(p); k {
		case syntax.Return, syntax.Assert, syntax.Raise, syntax.Yield:
			return true
		case syntax.AugAssign:
			// found_inf_combined += found_inf joins flags and counts nothing.
			joins := strings.HasPrefix(a.last(a.tree.Child(p, syntax.RoleTarget)), a.last(n))
			return !joins || a.kept(fn, p, hops)
		case syntax.Call:
			if a.tree.Role(c) != syntax.RoleFunc && a.known.report.Has(a.last(a.tree.First(p))) {
				return true
			}
		case syntax.Assign, syntax.AnnAssign:
			return a.kept(fn, p, hops)
		case syntax.If:
			return a.tree.Role(c) == syntax.RoleTest && a.armReports(p)
		}
		if a.tree.Kind(p).IsStatement() {
			return false
		}
	}
	return false
}

// kept follows an assignment.
func (a *Analyzer) kept(fn, assign syntax.Node, hops int) bool {
	for t := range a.tree.ChildrenOf(assign, syntax.RoleTarget) {
		switch a.tree.Kind(t) {
		case syntax.Attribute, syntax.Subscript:
			return true
		case syntax.Name:
			if hops > 0 && a.nameReported(fn, a.tree.Name(t), hops-1) {
				return true
			}
		}
	}
	return false
}

func (a *Analyzer) nameReported(fn syntax.Node, name []byte, hops int) bool {
	out := false
	a.own(fn, func(n syntax.Node) {
		if !out && a.tree.Kind(n) == syntax.Name && a.tree.Context(n) == syntax.Load && string(a.tree.Name(n)) == string(name) {
			out = a.reported(fn, n, hops)
		}
	})
	return out
}

// armReports reports whether one of the arms of an if tells somebody.
func (a *Analyzer) armReports(n syntax.Node) bool {
	out := false
	for c := range a.tree.Children(n) {
		if r := a.tree.Role(c); r != syntax.RoleBody && r != syntax.RoleOrElse {
			continue
		}
		for m := range a.tree.Preorder(c) {
			switch a.tree.Kind(m) {
			case syntax.AugAssign, syntax.Raise:
				out = true
			case syntax.Call:
				out = out || a.known.report.Has(a.last(a.tree.First(m)))
			}
		}
	}
	return out
}

// overflows finds a handler of an overflow around a step that tells of it.
func (a *Analyzer) overflows(call syntax.Node) syntax.Node {
	for c, p := call, a.tree.Parent(call); p != 0 && !a.tree.Kind(p).IsFunction(); c, p = p, a.tree.Parent(p) {
		if a.tree.Kind(p) != syntax.Try || a.tree.Role(c) != syntax.RoleBody {
			continue
		}
		for h := range a.tree.ChildrenOf(p, syntax.RoleHandler) {
			t := a.tree.Child(h, syntax.RoleType)
			if k := a.tree.Kind(t); (k == syntax.Name || k == syntax.Attribute) && a.known.overflow.Has(a.last(t)) && a.tells(h) {
				return h
			}
		}
	}
	return 0
}

func (a *Analyzer) tells(h syntax.Node) bool {
	for n := range a.tree.Preorder(h) {
		switch a.tree.Kind(n) {
		case syntax.AugAssign, syntax.Raise:
			return true
		case syntax.Call:
			if a.known.report.Has(a.last(a.tree.First(n))) {
				return true
			}
		}
	}
	return false
}

// plain judges a step without a scaler: its loss or gradient norm is checked
// with a raise before it.
func (a *Analyzer) plain(s *sites.Site, fn syntax.Node, open State) State {
	if open.Guard == 0 {
		open.Why = "nothing checks its loss or gradient norm: a step on what is not finite goes unseen"
	}
	if !a.counting(fn).asksFinite {
		return open
	}
	f := a.function(fn)
	if f.g.Cut() {
		return open
	}
	for v := range flow.Vertex(f.g.Len()) {
		n := f.g.Node(v)
		if a.tree.Kind(n) == syntax.If && f.checksFinite(n, v) && f.g.Dominates(n, s.Call) {
			return State{State: site.Counted, Why: "its loss or gradient norm is checked, and what is not finite raises", Guard: n, Text: "a check for what is not finite"}
		}
	}
	found := syntax.Node(0)
	a.own(fn, func(n syntax.Node) {
		if a.tree.Kind(n) != syntax.Keyword || !a.known.normRaises.Has(string(a.tree.Name(n))) {
			return
		}
		if v := a.tree.Child(n, syntax.RoleValue); a.tree.Op(v) == syntax.True && f.g.Dominates(a.tree.Parent(n), s.Call) {
			found = n
		}
	})
	if found != 0 {
		return State{State: site.Counted, Why: "its gradient norm is checked, and what is not finite raises", Guard: found, Text: "error_if_nonfinite"}
	}
	return open
}

// checksFinite reports whether an if raises where a loss or norm is not finite.
func (f *function) checksFinite(n syntax.Node, v flow.Vertex) bool {
	for e := range f.g.Out(v) {
		if e.Kind != flow.True && e.Kind != flow.False {
			continue
		}
		if f.a.notFinite(f.a.tree.Child(n, syntax.RoleTest), e.Kind == flow.True) && f.g.Doomed(v, e.Vertex) {
			return true
		}
	}
	return false
}

// notFinite reports whether a test has this outcome wherever a loss or norm is
// not finite.
func (a *Analyzer) notFinite(n syntax.Node, truth bool) bool {
	switch a.tree.Kind(n) {
	case syntax.UnaryOp:
		return a.tree.Op(n) == syntax.Not && a.notFinite(a.tree.First(n), !truth)
	case syntax.BoolOp:
		for o := range a.tree.Children(n) {
			if (a.tree.Op(n) == syntax.Or) == truth && a.notFinite(o, truth) {
				return true
			}
		}
	case syntax.Call:
		fun := a.tree.First(n)
		arg := a.tree.Child(n, syntax.RoleArg)
		method := a.tree.Kind(fun) == syntax.Attribute && !a.isModule(a.tree.First(fun))
		if method {
			arg = a.tree.First(fun)
		}
		switch name := a.last(fun); {
		case a.known.finite.Has(name):
			return !truth && a.isLoss(arg)
		case a.known.nonfinite.Has(name):
			return truth && a.isLoss(arg)
		case name == "any" || name == "all" || name == "item" || name == "bool":
			return a.notFinite(arg, truth)
		}
	}
	return false
}

// isLoss reports whether an expression is a loss or a gradient norm.
func (a *Analyzer) isLoss(n syntax.Node) bool {
	root, _, _ := a.base(n)
	if a.tree.Kind(root) == syntax.Call {
		return a.known.norm.Has(a.last(a.tree.First(root)))
	}
	if a.tree.Kind(root) == syntax.Name {
		for b := range a.names.Lookup(root, a.tree.Name(root)) {
			if b.How == names.Assign && a.tree.Kind(b.Value) == syntax.Call && a.known.norm.Has(a.last(a.tree.First(b.Value))) {
				return true
			}
		}
	}
	return a.backward(root)
}

// backward reports whether gradients are taken of an expression in its
// function.
func (a *Analyzer) backward(root syntax.Node) bool {
	text, found := string(a.tree.Source(root)), false
	if text == "" {
		return false
	}
	a.own(a.around(root), func(n syntax.Node) {
		if a.tree.Kind(n) != syntax.Call || a.last(a.tree.First(n)) != "backward" {
			return
		}
		for c := range a.tree.Preorder(n) {
			found = found || a.tree.Kind(c) == a.tree.Kind(root) && string(a.tree.Source(c)) == text
		}
	})
	return found
}
