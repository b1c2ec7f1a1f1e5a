package guarded

import (
	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// solution is what is known of one variable before each vertex.
type solution struct {
	in   []value
	done bool
}

// at is what a variable holds before a vertex has its effect.
func (f *function) at(key string, v flow.Vertex, hops int) value {
	if s := f.solution(key, hops); s.done || f.innerKey == key {
		return s.in[v]
	}
	f.guessed = true
	return unknown // two variables that are made of each other
}

// solution solves a variable once. What was found out while another variable
// was not known yet is forgotten again.
func (f *function) solution(key string, hops int) *solution {
	if s := f.solved[key]; s != nil {
		return s
	}
	s := &solution{in: make([]value, f.g.Len())}
	f.solved[key] = s
	outer, guessed := f.innerKey, f.guessed
	f.innerKey, f.guessed = key, false
	f.solve(s, key, hops)
	if f.guessed && outer != "" {
		delete(f.solved, key)
	}
	f.innerKey, f.guessed, s.done = outer, guessed || f.guessed && outer != "", true
	return s
}

// maxRounds is more than any nesting of loops needs.
const maxRounds = 60

// solve follows a variable forwards over all paths until nothing changes. What
// is known only ever becomes less.
func (f *function) solve(s *solution, key string, hops int) {
	for v := range s.in {
		s.in[v] = top
	}
	s.in[flow.Entry] = unknown
	for range maxRounds {
		changed := false
		for v := f.g.Len() - 1; v > int(flow.Entry); v-- { // built from the end: sources come last
			in, any := top, false
			for _, e := range f.g.In(flow.Vertex(v)) {
				if f.g.Reached(e.Vertex) {
					in, any = in.and(f.through(s, key, e, hops)), true
				}
			}
			if any && in != s.in[v] {
				s.in[v], changed = in, true
			}
		}
		if !changed {
			return
		}
	}
	for v := range s.in {
		s.in[v] = unknown
	}
}

// through is what holds behind a vertex, for who leaves it by an edge.
func (f *function) through(s *solution, key string, e flow.Edge, hops int) value {
	out, defined := s.in[e.Vertex], false
	for i := range f.defs {
		d := &f.defs[i]
		if d.at != e.Vertex || !d.defines(key) || d.loop && e.Kind == flow.False {
			continue
		}
		v := f.assigned(d, key, hops)
		if d.partial || e.Kind == flow.Exception {
			v = v.and(out)
		}
		out, defined = v, true
	}
	if defined || e.Kind == flow.Exception {
		return out
	}
	for i := range f.guards {
		g := &f.guards[i]
		if g.at == e.Vertex && f.covers(g.what.arg, key, g.at, hops) {
			out = out.checked(g.what.bits, g.call)
		}
	}
	return f.tested(out, key, e, hops)
}

// tested adds what a condition holds on the edge behind it, where everyone who
// takes the other edge raises.
func (f *function) tested(out value, key string, e flow.Edge, hops int) value {
	n := f.g.Node(e.Vertex)
	switch k := f.a.tree.Kind(n); {
	case e.Kind == flow.Next || n == 0:
	case k == syntax.If || k == syntax.While:
		if !f.raises(e) {
			break
		}
		c := condition{f, key, e.Vertex, hops - 1}
		return out.checked(c.holds(f.a.tree.Child(n, syntax.RoleTest), e.Kind == flow.True, maxHops), n)
	case (k == syntax.For || k == syntax.AsyncFor) && e.Kind == flow.False:
		return out.checked(f.looped(n, key, e.Vertex, hops-1), n)
	}
	return out
}

// raises reports whether everyone raises who leaves a vertex by another edge
// than this one.
func (f *function) raises(e flow.Edge) bool {
	others := false
	for o := range f.g.Out(e.Vertex) {
		if o.Kind == flow.Exception || o.Kind == e.Kind {
			continue
		}
		if !f.g.Doomed(e.Vertex, o.Vertex) {
			return false
		}
		others = true
	}
	return others
}

// looped is what a loop over all of a variable's ids holds of each, once it
// has come to its end.
func (f *function) looped(loop syntax.Node, key string, at flow.Vertex, hops int) bits {
	if hops <= 0 || !f.covers(f.a.tree.Child(loop, syntax.RoleIter), key, at, hops) {
		return 0
	}
	target := f.a.tree.Child(loop, syntax.RoleTarget)
	if f.a.tree.Kind(target) != syntax.Name {
		return 0
	}
	item := string(f.a.tree.Name(target))
	if item == key {
		return 0
	}
	s := f.solution(item, hops)
	if !s.done {
		return 0
	}
	out, any := both, false
	for _, e := range f.g.In(at) {
		if !f.within(loop, e.Vertex) || !f.g.Reached(e.Vertex) {
			continue
		}
		v := f.through(s, item, e, hops)
		if v.empty || v.guard == 0 {
			return 0
		}
		out, any = out&v.bits, true
	}
	if !any {
		return 0
	}
	return out
}

func (f *function) within(n syntax.Node, v flow.Vertex) bool {
	for p := f.g.Node(v); p != 0; p = f.a.tree.Parent(p) {
		if p == n {
			return f.g.Node(v) != n
		}
	}
	return false
}
