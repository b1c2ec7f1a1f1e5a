package flow

import (
	"iter"
	"slices"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// Vertex is a place in a Graph.
type Vertex int32

// The vertices that every graph has.
const (
	Entry Vertex = iota
	Exit         // the function returns
	Raise        // an exception leaves the function
	fixed
)

// Kind of an edge: why it is taken.
type Kind uint8

// The kinds. A loop over values takes True with a value, False at its end; a
// case takes True when it matches, a handler when it catches.
const (
	Next Kind = iota
	True
	False
	Exception // before the vertex has had its effect

	Kinds int = iota // how many there are
)

// Edge leads from a vertex to another; in a list of incoming ones, from it.
type Edge struct {
	Vertex Vertex
	Kind   Kind
}

// Graph is the flow of one function or module.
type Graph struct {
	tree  *syntax.Tree
	fn    syntax.Node
	cut   bool
	nodes []syntax.Node // by vertex; 0: of no node
	first []int32       // by vertex: its last outgoing link, -1: none
	links []link
	in    []Edge // by vertex, in the stretches that inAt gives
	inAt  []int32
	index []place // by node
	dom   dominators
}

type link struct {
	Edge
	next int32
}

// place says that a node has a vertex.
type place struct {
	node   syntax.Node
	vertex Vertex
}

// Function is what the graph is of: a function or the module.
func (g *Graph) Function() syntax.Node { return g.fn }

// Cut reports whether the function was too large to follow. The graph then has
// no path but the one from its entry to nowhere.
func (g *Graph) Cut() bool { return g.cut }

// Len is the number of vertices.
func (g *Graph) Len() int { return len(g.nodes) }

// Node is the statement, handler or case of a vertex; 0: it has none.
func (g *Graph) Node(v Vertex) syntax.Node { return g.nodes[v] }

// Out are the edges that leave a vertex.
func (g *Graph) Out(v Vertex) iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		for i := g.first[v]; i >= 0; i = g.links[i].next {
			if !yield(g.links[i].Edge) {
				return
			}
		}
	}
}

// In are the edges that come to a vertex.
func (g *Graph) In(v Vertex) []Edge { return g.in[g.inAt[v]:g.inAt[v+1]] }

// At are the vertices in which a node is evaluated: none if it lies in another
// function, or where nothing leads to. A statement with a block is its header.
func (g *Graph) At(n syntax.Node) iter.Seq[Vertex] {
	return func(yield func(Vertex) bool) {
		for i := g.find(n); i < len(g.index) && g.index[i].node == g.holder(n); i++ {
			if !yield(g.index[i].vertex) {
				return
			}
		}
	}
}

// find gives the first place of the vertices of a node.
func (g *Graph) find(n syntax.Node) int {
	h := g.holder(n)
	i, _ := slices.BinarySearchFunc(g.index, h, func(p place, h syntax.Node) int { return int(p.node) - int(h) })
	return i
}

// holder is the statement, handler or case that evaluates a node.
func (g *Graph) holder(n syntax.Node) syntax.Node {
	for ; n != 0; n = g.tree.Parent(n) {
		switch k := g.tree.Kind(n); {
		case k == syntax.Module:
			return 0
		case k.IsStatement(), k == syntax.ExceptHandler, k == syntax.MatchCase:
			return n
		}
	}
	return 0
}

// Reaches reports whether a path leads from a vertex to another, of one edge
// or more.
func (g *Graph) Reaches(from, to Vertex) bool {
	seen := make([]bool, g.Len())
	stack := []Vertex{from}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for e := range g.Out(v) {
			if e.Vertex == to {
				return true
			}
			if !seen[e.Vertex] {
				seen[e.Vertex] = true
				stack = append(stack, e.Vertex)
			}
		}
	}
	return false
}

// Doomed reports whether whoever takes the edge to a vertex raises an exception
// in the end, whoever may see that: neither the end of the function nor the
// vertex that the edge comes from is reached without one.
func (g *Graph) Doomed(from, to Vertex) bool {
	seen := make([]bool, g.Len())
	stack := []Vertex{to}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v == Exit || v == from {
			return false
		}
		for e := range g.Out(v) {
			if e.Kind != Exception && !seen[e.Vertex] {
				seen[e.Vertex] = true
				stack = append(stack, e.Vertex)
			}
		}
	}
	return true
}

// finish sorts out the incoming edges and the places of nodes.
func (g *Graph) finish() {
	n := g.Len()
	g.inAt = resize(g.inAt, n+1)
	for v := range n {
		for e := range g.Out(Vertex(v)) {
			g.inAt[e.Vertex+1]++
		}
	}
	for v := range n {
		g.inAt[v+1] += g.inAt[v]
	}
	g.in = slices.Grow(g.in[:0], len(g.links))[:len(g.links)]
	at := slices.Clone(g.inAt[:n])
	for v := range n {
		for e := range g.Out(Vertex(v)) {
			g.in[at[e.Vertex]] = Edge{Vertex(v), e.Kind}
			at[e.Vertex]++
		}
	}
	g.index = g.index[:0]
	for v := fixed; int(v) < n; v++ {
		if g.nodes[v] != 0 {
			g.index = append(g.index, place{g.nodes[v], v})
		}
	}
	slices.SortFunc(g.index, func(a, b place) int {
		if a.node != b.node {
			return int(a.node) - int(b.node)
		}
		return int(a.vertex) - int(b.vertex)
	})
}

// resize gives a cleared slice of a length.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}
