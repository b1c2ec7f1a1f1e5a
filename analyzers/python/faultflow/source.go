package faultflow

import (
	"slices"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/sites"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// maxDepth is through how many functions a fault is followed; the most that a
// hop costs decides which source is shown.
const maxDepth = 6

// SourceIn is the nearest source of a fault that the statements of a block can
// raise; nil: none is seen. Faults that a handler within the block loses do not
// leave it.
func (a *Analyzer) SourceIn(holder syntax.Node, role syntax.Role) *Source {
	return a.sourceIn(a.here, holder, role, maxDepth)
}

func (a *Analyzer) sourceIn(u *unit, holder syntax.Node, role syntax.Role, depth int) *Source {
	var best *Source
	for s := range u.tree.ChildrenOf(holder, role) {
		u.tree.Walk(s, func(n syntax.Node) syntax.Walk {
			switch k := u.tree.Kind(n); {
			case k.IsFunction(), k == syntax.Lambda, k == syntax.ClassDef:
				return syntax.Over
			case k == syntax.Call && !a.lostWithin(u, n, holder):
				if found := a.sourceAt(u, n, depth); found == nil || found.Kind != Host || depth == maxDepth {
					best = nearer(best, found)
				}
			}
			if best.certain() {
				return syntax.Stop
			}
			return syntax.Into
		})
		if best.certain() {
			break
		}
	}
	return best
}

// certain reports whether no other source can be nearer.
func (s *Source) certain() bool { return s != nil && len(s.Hops) == 1 && s.Kind <= Step }

// nearer is the better of two sources to show.
func nearer(a, b *Source) *Source {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case b.cost() < a.cost():
		return b
	}
	return a
}

// cost says how hard a source is to follow. A direct backward comes before a
// site that lies behind a call, and a generation behind all of them; what can
// hold no fault comes last.
func (s *Source) cost() int {
	n := 4*len(s.Hops) + int(s.Kind)
	switch s.Kind {
	case Generate:
		n += 20
	case Stored:
		n += 2
	case Host:
		n += 40
	}
	return n
}

// sourceAt is what a call raises: itself, or in the function that it calls.
func (a *Analyzer) sourceAt(u *unit, call syntax.Node, depth int) *Source {
	if k := a.direct(u, call); k != 0 {
		return &Source{Kind: k, Hops: []Hop{u.hop(call)}}
	}
	best := a.through(u, call, call, depth)
	if a.known.applies.Has(last(u.tree, u.tree.First(call))) {
		for arg := range u.tree.ChildrenOf(call, syntax.RoleArg) {
			if k := u.tree.Kind(arg); k == syntax.Name || k == syntax.Attribute {
				best = nearer(best, a.through(u, call, arg, depth))
			}
		}
	}
	return best
}

// direct says what a call raises by itself; 0: nothing that is known.
func (a *Analyzer) direct(u *unit, call syntax.Node) Kind {
	if k := u.sites[call]; k != 0 {
		return k
	}
	fun := u.tree.First(call)
	name := last(u.tree, fun)
	switch {
	case name == "":
	case a.known.guard.Has(name) && a.ours(u, fun), a.Guards != nil && a.Guards(string(u.tree.Name(fun))):
		return Guard
	case u.tree.Kind(fun) != syntax.Attribute:
	case a.known.backward.Has(name):
		return Backward
	case a.known.generate.Has(name) && a.generates(u, call):
		return Generate
	}
	return 0
}

// generates reports whether a call of generate() is one of a model: of an
// attribute or a name that is a model's.
func (a *Analyzer) generates(u *unit, call syntax.Node) bool {
	object := u.tree.First(u.tree.First(call))
	return a.known.model.Has(last(u.tree, object))
}

// through is what the function raises that an expression stands for.
func (a *Analyzer) through(u *unit, call, fun syntax.Node, depth int) *Source {
	if depth == 0 {
		return nil
	}
	fn := a.callee(u, fun)
	if fn.Def == 0 {
		return nil
	}
	other := a.away(fn.File)
	if !u.goneOver(call) && other.isGenerator(fn.Def) {
		return nil // it runs where somebody goes over it
	}
	found := a.ofFunction(other, fn.Def, depth-1)
	if found == nil {
		return nil
	}
	return &Source{Kind: found.Kind, Hops: append([]Hop{u.hop(call)}, found.Hops...)}
}

// callee is the function that an expression calls, in this file or another.
func (a *Analyzer) callee(u *unit, n syntax.Node) calls.Func {
	fun := n
	if u.tree.Kind(n) == syntax.Call {
		fun = u.tree.First(n)
	}
	if k := u.tree.Kind(fun); k != syntax.Name && k != syntax.Attribute {
		return calls.Func{}
	}
	if a.Across == nil {
		def, method := u.index.Callee(n)
		return calls.Func{File: u.file, Def: def, Method: method}
	}
	return a.Across.Callee(u.file, n)
}

// ofFunction is what a function raises.
func (a *Analyzer) ofFunction(u *unit, def syntax.Node, depth int) *Source {
	memo, k := u.sources, key{u.file.Name, def, depth}
	if !u.local {
		memo = a.sources
	}
	if s, ok := memo[k]; ok {
		return s
	}
	memo[k] = nil
	s := a.sourceIn(u, def, syntax.RoleBody, depth)
	if !u.local && s != nil {
		s = s.away()
	}
	memo[k] = s
	return s
}

// hop is a call on the way.
func (u *unit) hop(call syntax.Node) Hop {
	p := u.tree.Position(u.tree.Start(call))
	h := Hop{At: site.Position{File: u.file.Name, Line: p.Line, Column: p.Column + 1}, Name: sites.Callee(u.tree, call)}
	if u.local {
		h.Node = call
	}
	return h
}

// away is a source as other files see it: without nodes.
func (s *Source) away() *Source {
	out := &Source{Kind: s.Kind, Hops: slices.Clone(s.Hops)}
	for i := range out.Hops {
		out.Hops[i].Node = 0
	}
	return out
}

// goneOver reports whether a loop or a comprehension goes over what a call
// gives.
func (u *unit) goneOver(call syntax.Node) bool {
	for n := call; n != 0 && !u.tree.Kind(n).IsStatement(); n = u.tree.Parent(n) {
		if u.tree.Role(n) == syntax.RoleIter {
			return true
		}
	}
	return false
}

func (u *unit) isGenerator(def syntax.Node) bool {
	found := false
	u.tree.Walk(def, func(n syntax.Node) syntax.Walk {
		switch k := u.tree.Kind(n); {
		case n != def && (k.IsFunction() || k == syntax.Lambda || k == syntax.ClassDef):
			return syntax.Over
		case k == syntax.Yield, k == syntax.YieldFrom:
			found = true
			return syntax.Stop
		}
		return syntax.Into
	})
	return found
}
