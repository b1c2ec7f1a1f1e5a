package guarded

import (
	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// guardCall is what a call of a guard checks; arg is 0: it is none.
type guardCall struct {
	arg     syntax.Node
	bits    bits
	returns bool // it gives the ids back
}

// guardOf says what a call checks.
func (a *Analyzer) guardOf(call syntax.Node) guardCall {
	g, known := a.guardHere(call)
	if known {
		return g
	}
	return a.foreignGuard(call, a.tree.First(call))
}

// guardHere says what a call checks as far as this file tells; known is false
// where another file may tell more.
func (a *Analyzer) guardHere(call syntax.Node) (g guardCall, known bool) {
	fun := a.tree.First(call)
	if k := a.tree.Kind(fun); k != syntax.Name && k != syntax.Attribute {
		return guardCall{}, true
	}
	if a.known.function.May(a.tree.Name(fun)) && a.known.function.Has(a.last(fun)) && a.ours(fun) {
		return guardCall{a.idsOf(call, 0), both, true}, true
	}
	if g := a.namedGuard(fun); g != nil {
		return guardCall{a.idsOf(call, g.IDs), both, true}, true
	}
	def, method := a.calls.Callee(call)
	if def == 0 {
		return guardCall{}, false
	}
	for p := range a.tree.ChildrenOf(def, syntax.RoleParam) {
		arg := a.calls.Argument(call, def, method, p)
		if arg == 0 {
			continue
		}
		if b := a.checksParam(def, p); b != 0 {
			return guardCall{arg, b, a.givesBack(def, p)}, true
		}
	}
	return guardCall{}, true
}

// idsOf is an argument by its index, or the one that is called ids.
func (a *Analyzer) idsOf(call syntax.Node, i int) syntax.Node {
	for arg := range a.tree.ChildrenOf(call, syntax.RoleArg) {
		if i == 0 {
			return arg
		}
		i--
	}
	for k := range a.tree.ChildrenOf(call, syntax.RoleKeyword) {
		if string(a.tree.Name(k)) == "ids" {
			return a.tree.Child(k, syntax.RoleValue)
		}
	}
	return 0
}

// ours reports whether a callee comes from trainvet's own package.
func (a *Analyzer) ours(fun syntax.Node) bool {
	head := fun
	for a.tree.Kind(head) == syntax.Attribute {
		head = a.tree.First(head)
	}
	if a.tree.Kind(head) != syntax.Name {
		return false
	}
	for b := range a.names.Lookup(head, a.tree.Name(head)) {
		switch b.How {
		case names.Import:
			if a.known.module.Has(string(a.tree.Name(b.Value))) {
				return true
			}
		case names.From:
			from := a.tree.Parent(b.Value)
			module := string(a.tree.Name(a.tree.Child(from, syntax.RoleModule)))
			if a.tree.Level(from) == 0 && a.known.module.Has(module) {
				return true
			}
		}
	}
	return false
}

// checksParam gives the bounds that a function holds its parameter against,
// wherever it returns.
func (a *Analyzer) checksParam(def, param syntax.Node) bits {
	if b, ok := a.summaries[param]; ok {
		return b // of one that calls itself: none
	}
	a.summaries[param] = 0
	if op := a.tree.Op(param); op == syntax.VarKeyword || op == syntax.VarPositional || a.tree.Kind(def) == syntax.AsyncFunctionDef || !a.mayCheck(def) {
		return 0
	}
	f := a.function(def)
	name := string(a.tree.Name(param))
	if !f.ready || f.g.Cut() || !f.g.Reached(flow.Exit) { // functions that call each other guard nothing
		return 0
	}
	for _, i := range f.byHead[head(name)] {
		if d := &f.defs[i]; d.defines(name) {
			if root, whole, _ := a.base(d.value); !whole || d.loop || d.partial || a.key(root) != name {
				return 0 // what is checked in the end are not the ids that came
			}
		}
	}
	if len(f.guards) == 0 && !f.opaque(name) && !f.askOthersOf(name) {
		return 0 // nothing here can check it, and need not be followed
	}
	v := f.atExit(name)
	if v.bits != both && f.askOthersOf(name) {
		v = f.atExit(name)
	}
	if v.guard == 0 || f.narrowedBefore(v.guard) != 0 {
		return 0
	}
	a.summaries[param] = v.bits
	return v.bits
}

// atExit is what is known of a variable where the function returns.
func (f *function) atExit(name string) value {
	f.at(name, flow.Exit)
	f.settle()
	return f.at(name, flow.Exit)
}

// askOthersOf is askOthers about one variable.
func (f *function) askOthersOf(name string) bool {
	return f.others.left() && f.askOthers(map[string]bool{name: true})
}

// mayCheck reports whether a function raises or calls one that does: most do
// not, and need no graph.
func (a *Analyzer) mayCheck(def syntax.Node) bool {
	if found, ok := a.checking[def]; ok {
		return found
	}
	a.checking[def] = false // while it is looked at, and where it calls itself
	found := false
	a.tree.Walk(def, func(n syntax.Node) syntax.Walk {
		switch a.tree.Kind(n) {
		case syntax.Yield, syntax.YieldFrom:
			found = false
			return syntax.Stop // it runs when somebody asks for a value
		case syntax.Raise:
			found = true
		case syntax.Call:
			found = found || a.mayRaise(n)
		}
		return syntax.Into
	})
	a.checking[def] = found
	return found
}

func (a *Analyzer) mayRaise(call syntax.Node) bool {
	fun := a.tree.First(call)
	if a.namedGuard(fun) != nil || a.known.function.Has(a.last(fun)) || a.ends(call) {
		return true
	}
	if def, _ := a.calls.Callee(call); def != 0 {
		return a.mayCheck(def)
	}
	return a.takes(call) && a.elsewhere(fun)
}

// givesBack reports whether all that a function returns is its parameter.
func (a *Analyzer) givesBack(def, param syntax.Node) bool {
	gives := false
	for n := range a.tree.Preorder(def) {
		if a.tree.Kind(n) != syntax.Return || a.around(n) != def {
			continue
		}
		root, whole, _ := a.base(a.tree.First(n))
		if !whole || a.key(root) != string(a.tree.Name(param)) {
			return false
		}
		gives = true
	}
	return gives
}

// narrowedBefore finds where what a guard checks lost bits before it; 0:
// nowhere.
func (f *function) narrowedBefore(n syntax.Node) syntax.Node {
	if f.a.tree.Kind(n) != syntax.Call {
		return f.narrowedIn(n)
	}
	arg := f.a.guardOf(n).arg
	for v := range f.g.At(n) {
		if c := f.narrowedAt(arg, v, maxHops); c != 0 {
			return c
		}
	}
	return 0
}

// narrowedIn looks at what a comparison compares.
func (f *function) narrowedIn(n syntax.Node) syntax.Node {
	for c := range f.a.tree.Preorder(f.a.tree.Child(n, syntax.RoleTest)) {
		if k := f.a.tree.Kind(c); k != syntax.Name && k != syntax.Call {
			continue
		}
		for v := range f.g.At(n) {
			if narrow := f.narrowedAt(c, v, maxHops); narrow != 0 {
				return narrow
			}
		}
	}
	return 0
}

func (f *function) narrowedAt(n syntax.Node, at flow.Vertex, hops int) syntax.Node {
	root, _, narrowed := f.a.base(n)
	if narrowed != 0 || hops == 0 {
		return narrowed
	}
	k := f.a.key(root)
	if k == "" {
		return 0
	}
	last := f.reaching(k)[at]
	if last < 0 || f.defs[last].value == 0 {
		return 0
	}
	return f.narrowedAt(f.defs[last].value, f.defs[last].at, hops-1)
}

// missed says why nothing guards a decode: the check that does not count.
func (f *function) missed(call, ids syntax.Node, open State) State {
	a := f.a
	root, _, _ := a.base(ids)
	key := a.key(root)
	for i := range f.guards {
		g := &f.guards[i]
		checked, whole, _ := a.base(g.what.arg)
		open.Guard, open.Text, open.Flaw = g.call, a.guardText(g.call), Misses
		switch {
		case key == "" || a.key(checked) != key:
			continue
		case !whole:
			open.Why = open.Text + " checks a part of its ids only"
		case a.tree.Start(g.call) > a.tree.Start(call):
			open.Why = open.Text + " checks its ids behind the decode: what is dropped is gone by then"
		default:
			open.Why = "a path leads past " + open.Text + ", or its ids are made anew behind it"
		}
		return open
	}
	open.Guard, open.Text, open.Flaw = 0, "", NoFlaw
	if n := f.asserted(key, call); n != 0 {
		open.State, open.Why = site.Unguarded, "only an assert checks its ids, which python -O drops"
		open.Guard, open.Text, open.Flaw = n, "an assert", Asserted
	}
	return open
}

// asserted finds an assert that would be a check of a variable.
func (f *function) asserted(key string, call syntax.Node) syntax.Node {
	if key == "" {
		return 0
	}
	for _, v := range f.asserts {
		n := f.g.Node(v)
		if !f.g.Dominates(n, call) {
			continue
		}
		c := condition{f, key, v, maxHops}
		if c.holds(f.a.tree.Child(n, syntax.RoleTest), true, maxHops) != 0 {
			return n
		}
	}
	return 0
}
