package guarded

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// solution is what is known of one variable before each vertex.
type solution struct {
	key   string
	in    []value
	holds map[flow.Edge]bits // of conditions, by the edge behind them; of a loop whether it is over the ids
	met   []answer           // by guard: whether it checks the variable
}

// known is what an expression holds at a vertex, once every variable that it
// is made of is known.
func (f *function) known(n syntax.Node, at flow.Vertex) value {
	for range maxRounds {
		v := f.value(n, at, maxHops)
		if !f.settle() {
			return v
		}
	}
	return unknown
}

// at is what a variable holds before a vertex has its effect, as far as it is
// known: it may become less.
func (f *function) at(key string, v flow.Vertex) value {
	if f.solved[key] == nil {
		if d := f.only(key, v); d != nil {
			return f.assigned(d, key)
		}
	}
	return f.solution(key).in[v]
}

// only is the one definition that a variable has, where nothing between it and
// a vertex can check it: then nothing needs to be solved. nil: it may have
// others.
func (f *function) only(key string, v flow.Vertex) *def {
	if len(f.guards) > 0 || f.opaque(key) {
		return nil
	}
	var one *def
	for _, i := range f.byHead[head(key)] {
		if d := &f.defs[i]; d.defines(key) {
			if one != nil {
				return nil
			}
			one = d
		}
	}
	if one == nil || one.loop || one.partial || one.at == v || !f.g.DominatesVertex(one.at, v) {
		return nil
	}
	return one
}

// opaque reports whether a test on which something is raised speaks of a
// variable, or of what was made of it.
func (f *function) opaque(key string) bool {
	return f.checked != nil && f.checked[head(key)]
}

// head is the name that a variable begins with: of out.ids, batch["ids"].
func head(key string) string {
	if i := strings.IndexAny(key, ".["); i >= 0 {
		return key[:i]
	}
	return key
}

func (f *function) solution(key string) *solution {
	if s := f.solved[key]; s != nil {
		return s
	}
	s := &solution{key: key, in: make([]value, f.g.Len()), holds: map[flow.Edge]bits{}, met: make([]answer, len(f.guards))}
	for v := range s.in {
		s.in[v] = top
	}
	for i := range s.met {
		s.met[i] = maybe
	}
	s.in[flow.Entry] = unknown
	f.solved[key] = s
	f.open = append(f.open, s)
	return s
}

const (
	maxRounds = 60  // more than any nesting of loops needs
	maxOpen   = 200 // variables that one question may lead to
)

// settle follows the variables that are not known yet over all paths, together,
// until nothing changes. What is known only ever becomes less. It reports
// whether anything changed.
func (f *function) settle() bool {
	if len(f.open) == 0 {
		return false
	}
	for range maxRounds {
		changed := false
		for i := 0; i < len(f.open) && i < maxOpen; i++ { // asking for one may open others
			changed = f.pass(f.open[i]) || changed
		}
		if !changed && len(f.open) <= maxOpen {
			f.open = f.open[:0]
			return true
		}
	}
	for _, s := range f.open {
		for v := range s.in {
			s.in[v] = unknown
		}
	}
	f.open = f.open[:0]
	return true
}

// pass goes once over all vertices.
func (f *function) pass(s *solution) bool {
	changed := false
	for v := f.g.Len() - 1; v > int(flow.Entry); v-- { // built from the end: sources come last
		in, any := top, false
		for _, e := range f.g.In(flow.Vertex(v)) {
			switch {
			case !f.g.Reached(e.Vertex):
				continue
			case f.plain[e.Vertex]:
				in = in.and(s.in[e.Vertex])
			default:
				in = in.and(f.through(s, e))
			}
			any = true
		}
		if any && in != s.in[v] {
			s.in[v], changed = in, true
		}
	}
	return changed
}

// through is what holds behind a vertex, for who leaves it by an edge.
func (f *function) through(s *solution, e flow.Edge) value {
	out, defined := s.in[e.Vertex], false
	for i := f.defAt[e.Vertex]; i < f.defAt[e.Vertex+1]; i++ {
		d := &f.defs[i]
		if !d.defines(s.key) || d.loop && e.Kind == flow.False {
			continue
		}
		v := f.assigned(d, s.key)
		if d.partial || e.Kind == flow.Exception {
			v = v.and(out)
		}
		out, defined = v, true
	}
	if defined || e.Kind == flow.Exception {
		return out
	}
	for i := f.guardAt[e.Vertex]; i < f.guardAt[e.Vertex+1]; i++ {
		if g := &f.guards[i]; f.meets(s, int(i)) {
			out = out.checked(g.what.bits, g.call)
		}
	}
	return f.tested(out, s, e)
}

// meets reports whether a guard checks a variable.
func (f *function) meets(s *solution, i int) bool {
	if s.met[i] == maybe {
		s.met[i] = no
		if f.covers(f.guards[i].what.arg, s.key, f.guards[i].at, maxHops) {
			s.met[i] = yes
		}
	}
	return s.met[i] == yes
}

// tested adds what a condition holds on the edge behind it, where everyone who
// takes the other edge raises.
func (f *function) tested(out value, s *solution, e flow.Edge) value {
	n := f.g.Node(e.Vertex)
	switch k := f.a.tree.Kind(n); {
	case e.Kind == flow.Next || n == 0:
	case k == syntax.If || k == syntax.While:
		if !f.raises(e) {
			return out // nearly every condition
		}
		b, ok := s.holds[e]
		if !ok {
			c := condition{f, s.key, e.Vertex, maxHops}
			b = c.holds(f.a.tree.Child(n, syntax.RoleTest), e.Kind == flow.True, maxHops)
			s.holds[e] = b
		}
		return out.checked(b, n)
	case (k == syntax.For || k == syntax.AsyncFor) && e.Kind == flow.False:
		covers, ok := s.holds[e]
		if !ok {
			if f.covers(f.a.tree.Child(n, syntax.RoleIter), s.key, e.Vertex, maxHops) {
				covers = both
			}
			s.holds[e] = covers
		}
		if covers != 0 {
			b, sure := f.looped(n, s.key, e.Vertex)
			if sure {
				return out.checked(b, n)
			}
			out.bits |= b
		}
	}
	return out
}

// raises reports whether everyone raises who leaves a vertex by another edge
// than this one. It is asked for each variable, and found out once.
func (f *function) raises(e flow.Edge) bool {
	if f.doomed == nil {
		f.doomed = make([]answer, flow.Kinds*f.g.Len())
		for i := range f.doomed {
			f.doomed[i] = maybe
		}
	}
	known := &f.doomed[flow.Kinds*int(e.Vertex)+int(e.Kind)]
	if *known == maybe {
		*known = no
		if f.othersRaise(e) {
			*known = yes
		}
	}
	return *known == yes
}

func (f *function) othersRaise(e flow.Edge) bool {
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

// looped is what a loop over all of a variable's ids holds of each, once it has
// come to its end. Not sure: as far as is known yet.
func (f *function) looped(loop syntax.Node, key string, at flow.Vertex) (held bits, sure bool) {
	target := f.a.tree.Child(loop, syntax.RoleTarget)
	if f.a.tree.Kind(target) != syntax.Name {
		return 0, true
	}
	item := string(f.a.tree.Name(target))
	if item == key {
		return 0, true
	}
	s := f.solution(item)
	sure = true
	held, any := both, false
	for _, e := range f.g.In(at) {
		if !f.within(loop, e.Vertex) || !f.g.Reached(e.Vertex) {
			continue
		}
		v := f.through(s, e)
		if v.guard == 0 && !v.unset {
			return 0, true // none, or made on the host: nothing was checked
		}
		held, any, sure = held&v.bits, true, sure && !v.unset
	}
	if !any {
		return 0, true
	}
	return held, sure
}

func (f *function) within(n syntax.Node, v flow.Vertex) bool {
	for p := f.g.Node(v); p != 0; p = f.a.tree.Parent(p) {
		if p == n {
			return f.g.Node(v) != n
		}
	}
	return false
}
