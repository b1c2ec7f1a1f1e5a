package flow

import (
	"slices"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// dominators are the immediate ones of each vertex.
type dominators struct {
	known bool
	idom  []Vertex // -1: not reached
	order []int32  // number in reverse postorder
}

const unreached = Vertex(-1)

// dominate computes the immediate dominators: Cooper, Harvey and Kennedy's
// iteration over the reverse postorder.
func (g *Graph) dominate() {
	if g.dom.known {
		return
	}
	g.dom.known = true
	post := g.postorder()
	g.dom.order = resize(g.dom.order, g.Len())
	g.dom.idom = resize(g.dom.idom, g.Len())
	for v := range g.dom.idom {
		g.dom.idom[v] = unreached
	}
	for i, v := range post {
		g.dom.order[v] = int32(len(post) - i)
	}
	g.dom.idom[Entry] = Entry
	for changed := true; changed; {
		changed = false
		for i := len(post) - 2; i >= 0; i-- { // the last one is the entry
			v := post[i]
			best := unreached
			for _, e := range g.In(v) {
				switch {
				case g.dom.idom[e.Vertex] == unreached:
				case best == unreached:
					best = e.Vertex
				default:
					best = g.meet(best, e.Vertex)
				}
			}
			if g.dom.idom[v] != best {
				g.dom.idom[v], changed = best, true
			}
		}
	}
}

// meet is the nearest vertex that dominates two.
func (g *Graph) meet(a, b Vertex) Vertex {
	for a != b {
		for g.dom.order[a] > g.dom.order[b] {
			a = g.dom.idom[a]
		}
		for g.dom.order[b] > g.dom.order[a] {
			b = g.dom.idom[b]
		}
	}
	return a
}

// postorder lists the vertices that the entry reaches.
func (g *Graph) postorder() []Vertex {
	type frame struct {
		v    Vertex
		link int32
	}
	seen := make([]bool, g.Len())
	out := make([]Vertex, 0, g.Len())
	stack := []frame{{Entry, g.first[Entry]}}
	seen[Entry] = true
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.link < 0 {
			out = append(out, top.v)
			stack = stack[:len(stack)-1]
			continue
		}
		to := g.links[top.link].Vertex
		top.link = g.links[top.link].next
		if !seen[to] {
			seen[to] = true
			stack = append(stack, frame{to, g.first[to]})
		}
	}
	return out
}

// Reached reports whether a path leads from the entry to a vertex.
func (g *Graph) Reached(v Vertex) bool {
	g.dominate()
	return g.dom.idom[v] != unreached
}

// DominatesVertex reports whether every path from the entry to b passes a. A
// vertex dominates itself; what is not reached is dominated by nothing else.
func (g *Graph) DominatesVertex(a, b Vertex) bool {
	g.dominate()
	if a == b {
		return true
	}
	if g.dom.idom[a] == unreached || g.dom.idom[b] == unreached {
		return false
	}
	for g.dom.order[b] > g.dom.order[a] {
		b = g.dom.idom[b]
	}
	return a == b
}

// Dominates reports whether node b is evaluated only where node a has been:
// every path to b passes a statement of a to its end, and a is not evaluated on
// a condition or in a loop of its own within that statement. Within one statement
// what stands first is evaluated first.
func (g *Graph) Dominates(a, b syntax.Node) bool {
	if !g.Unconditional(a) {
		return false
	}
	if g.holder(a) == g.holder(b) {
		return g.tree.End(a) <= g.tree.End(b) && a != b
	}
	var from []Vertex
	for v := range g.At(a) {
		from = append(from, v)
	}
	if len(from) == 0 {
		return false
	}
	reached := false
	for v := range g.At(b) {
		if !g.Reached(v) {
			continue
		}
		reached = true
		// The tree of dominators answers no at once.
		if len(from) == 1 && !g.DominatesVertex(from[0], v) || g.avoids(from, v) {
			return false
		}
	}
	return reached
}

// avoids reports whether a path from the entry leads to a vertex while none of
// some others comes to its end: by an exception of theirs it may.
func (g *Graph) avoids(past []Vertex, to Vertex) bool {
	seen := make([]bool, g.Len())
	seen[Entry] = true
	stack := []Vertex{Entry}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v == to {
			return true
		}
		ends := slices.Contains(past, v)
		for e := range g.Out(v) {
			if !seen[e.Vertex] && (!ends || e.Kind == Exception) {
				seen[e.Vertex] = true
				stack = append(stack, e.Vertex)
			}
		}
	}
	return false
}
