package guarded

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// Handler is a place that sees a fault on its way up.
type Handler struct {
	At      syntax.Node
	Func    string
	Message string
	Lost    bool // the fault goes no further
	Direct  bool // in the function of the site itself
	Own     bool // it was asked about what the check raises, which may be no fault
}

// answer of a question about a fault.
type answer uint8

const (
	no answer = iota
	yes
	maybe
)

const (
	maxHandlers = 24 // that are listed
	maxDepth    = 6  // of callers
)

// handlers lists the places between a node and the top of the file that see a
// fault, innermost first, those that pass it on too: in its function, then
// where that is called.
func (a *Analyzer) handlers(n syntax.Node) []Handler {
	if !a.swallows() {
		return nil
	}
	var out []Handler
	seen := map[syntax.Node]bool{}
	level := []syntax.Node{n}
	for depth := 0; depth <= maxDepth && len(level) > 0; depth++ {
		var next []syntax.Node
		for _, at := range level {
			lost := a.inFunction(at, depth == 0, seen, &out)
			if def := a.names.Function(at); def != 0 && !lost && !seen[def] {
				seen[def] = true
				next = append(next, a.calls.Callers(def)...)
			}
		}
		if len(out) > maxHandlers {
			return out[:maxHandlers]
		}
		level = next
	}
	return out
}

// swallows reports whether anything in the file can stop a fault at all: many
// files have no try, and nobody's callers need to be looked for.
func (a *Analyzer) swallows() bool {
	if a.stops == maybe {
		a.stops = no
		for n := a.tree.Root(); int(n) < a.tree.Len(); n++ {
			k := a.tree.Kind(n)
			if k == syntax.Try || k == syntax.TryStar || k == syntax.WithItem && a.suppresses(a.tree.Child(n, syntax.RoleContext)) {
				a.stops = yes
				break
			}
		}
	}
	return a.stops == yes
}

// inFunction lists those of one function, and reports whether a fault is lost.
func (a *Analyzer) inFunction(n syntax.Node, direct bool, seen map[syntax.Node]bool, out *[]Handler) bool {
	fn := a.names.Function(n)
	add := func(at syntax.Node, text string, lost bool) {
		if !seen[at] {
			seen[at] = true
			*out = append(*out, Handler{at, a.names.Qualified(n), text, lost, direct, a.ofCheck != nil})
		}
	}
	for c, p := n, a.tree.Parent(n); p != 0 && p != fn; c, p = p, a.tree.Parent(p) {
		switch a.tree.Kind(p) {
		case syntax.Lambda:
			return false // whoever calls it is not known
		case syntax.With, syntax.AsyncWith:
			if a.tree.Role(c) != syntax.RoleBody {
				continue
			}
			for item := range a.tree.ChildrenOf(p, syntax.RoleItem) {
				if a.suppresses(a.tree.Child(item, syntax.RoleContext)) {
					add(item, "suppresses it", true)
					return true
				}
			}
		case syntax.Try, syntax.TryStar:
			if a.tree.Role(c) == syntax.RoleBody && a.caught(p, add) {
				return true
			}
			if r := a.tree.Role(c); r != syntax.RoleFinal {
				if out := a.leaves(p); out != 0 {
					add(out, "leaves a finally block, which drops it", true)
					return true
				}
			}
		}
	}
	return false
}

// caught finds the handler of a try that a fault meets first.
func (a *Analyzer) caught(try syntax.Node, add func(syntax.Node, string, bool)) (lost bool) {
	for h := range a.tree.ChildrenOf(try, syntax.RoleHandler) {
		if a.tree.Kind(h) != syntax.ExceptHandler {
			continue
		}
		if t := a.tree.Child(h, syntax.RoleType); t != 0 && a.meets(t) == no {
			continue
		}
		what := "it"
		if a.ofCheck != nil {
			what = "what the check raises"
		}
		way := a.departs(h)
		switch {
		case !way.goesOn:
			add(h, "catches "+what+" and raises", false)
		case a.handsOver(h):
			add(h, "catches "+what+" and hands it to who waits for the result", false)
		default:
			add(h, strings.TrimSpace("catches "+what+" and goes on "+way.where), true)
			return true
		}
		return false
	}
	return false
}

// catches reports whether a handler of this type, or these, sees a fault.
func (a *Analyzer) catches(t syntax.Node) answer {
	for e := range a.names.Members(t) {
		if k := a.tree.Kind(e); k != syntax.Name && k != syntax.Attribute {
			continue
		}
		if a.known.broad.Has(a.last(e)) || a.known.fault.Has(a.last(e)) && a.ours(e) {
			return yes
		}
	}
	return no
}

// leaves finds what leaves the finally block of a try: a return, a break, a
// continue. 0: nothing.
func (a *Analyzer) leaves(try syntax.Node) syntax.Node {
	found := syntax.Node(0)
	for s := range a.tree.ChildrenOf(try, syntax.RoleFinal) {
		a.tree.Walk(s, func(n syntax.Node) syntax.Walk {
			switch k := a.tree.Kind(n); {
			case k.IsFunction(), k == syntax.Lambda, k == syntax.ClassDef:
				return syntax.Over
			case k == syntax.Return:
				found = n
				return syntax.Stop
			case k == syntax.Break, k == syntax.Continue:
				if !a.loopsWithin(n, try) {
					found = n
					return syntax.Stop
				}
			}
			return syntax.Into
		})
	}
	return found
}

func (a *Analyzer) loopsWithin(n, top syntax.Node) bool {
	for p := range a.tree.Ancestors(n) {
		if p == top {
			return false
		}
		switch a.tree.Kind(p) {
		case syntax.For, syntax.AsyncFor, syntax.While:
			return true
		}
	}
	return false
}

// neverReturns reports whether a statement calls a function of this file that
// always raises.
func (a *Analyzer) neverReturns(n syntax.Node) bool {
	call := a.tree.First(n)
	if a.tree.Kind(n) != syntax.ExprStmt || a.tree.Kind(call) != syntax.Call {
		return false
	}
	def, _ := a.calls.Callee(call)
	if def == 0 {
		return false
	}
	if r, ok := a.raising[def]; ok {
		return r
	}
	a.raising[def] = false
	g := a.builder.Build(a.tree, def, nil)
	r := !g.Cut() && a.tree.Kind(def) == syntax.FunctionDef && !g.Reached(flow.Exit)
	a.raising[def] = r
	return r
}

// handsOver reports whether a handler gives the exception to somebody who waits
// for it.
func (a *Analyzer) handsOver(h syntax.Node) bool {
	for n := range a.tree.Preorder(h) {
		if a.tree.Kind(n) != syntax.Call || !a.known.handOver.Has(a.last(a.tree.First(n))) {
			continue
		}
		for arg := range a.tree.ChildrenOf(n, syntax.RoleArg) {
			if name := a.tree.Name(h); name != nil && string(a.tree.Source(arg)) == string(name) {
				return true
			}
		}
	}
	return false
}
