package flow

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/python/fixture"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// TestDominance holds the dominators of random functions against their
// definition: taken out, the vertex leaves the other one unreachable.
func TestDominance(t *testing.T) {
	t.Parallel()
	var b Builder
	b.Suppresses = func(syntax.Node) bool { return true }
	var g *Graph
	pairs, yes := 0, 0
	for seed := range uint64(200) {
		src := newProgram(seed)
		file := syntax.Parse([]byte(src))
		require.True(t, file.Valid(), src)
		g = b.Build(&file.Tree, file.First(file.Root()), g)
		require.False(t, g.Cut())
		for a := range Vertex(g.Len()) {
			left := without(g, a)
			for v := range Vertex(g.Len()) {
				if a == v || !g.Reached(a) || !g.Reached(v) {
					continue
				}
				want := !left[v]
				pairs++
				if want {
					yes++
				}
				if g.DominatesVertex(a, v) != want {
					t.Fatalf("vertex %d dominates %d: %t is wrong\n%s", a, v, !want, src)
				}
			}
		}
		for v, reached := range without(g, unreached) {
			if reached != g.Reached(Vertex(v)) {
				t.Fatalf("vertex %d is reached: %t is wrong\n%s", v, !reached, src)
			}
		}
	}
	require.Greater(t, yes, 1000)
	t.Logf("%d pairs, of which %d dominate", pairs, yes)
}

// without gives the vertices that the entry reaches when one is taken out.
func without(g *Graph, gone Vertex) []bool {
	seen := make([]bool, g.Len())
	if gone == Entry {
		return seen
	}
	stack := []Vertex{Entry}
	seen[Entry] = true
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for e := range g.Out(v) {
			if e.Vertex != gone && !seen[e.Vertex] {
				seen[e.Vertex] = true
				stack = append(stack, e.Vertex)
			}
		}
	}
	return seen
}

// TestNodes says for calls before() and after() in fixtures whether the one
// dominates the other, and whether they exclude each other.
func TestNodes(t *testing.T) {
	t.Parallel()
	fixture.Run(t, "testdata", func(t *testing.T, _ string, src []byte) []fixture.Got {
		file := syntax.Parse(src)
		require.True(t, file.Valid(), file.Errors)
		var b Builder
		b.Ends = func(call syntax.Node) bool { return string(file.Source(call)) == "end()" }
		b.Suppresses = func(n syntax.Node) bool { return string(file.Source(n)) == "suppress()" }
		var out []fixture.Got
		for n := range file.Preorder(file.Root()) {
			if !file.Kind(n).IsFunction() {
				continue
			}
			g := b.Build(&file.Tree, n, nil)
			before, after := calls(&file.Tree, n, "before"), calls(&file.Tree, n, "after")
			if len(after) == 0 {
				continue // a function within one
			}
			say := func(text string) {
				out = append(out, fixture.Got{Line: file.Pos(after[0]).Line, Text: text})
			}
			for _, a := range before {
				if g.Dominates(a, after[0]) {
					say("dominated")
				}
				if Exclusive(&file.Tree, a, after[0]) {
					say("exclusive")
				}
			}
			if g.Loop(after[0]) != 0 {
				say("in a loop")
			}
			reached := false
			for v := range g.At(after[0]) {
				reached = reached || g.Reached(v)
			}
			if !reached {
				say("not reached")
			}
		}
		return out
	})
}

// calls lists the calls of a name below a node.
func calls(tree *syntax.Tree, n syntax.Node, name string) []syntax.Node {
	var out []syntax.Node
	for c := range tree.Preorder(n) {
		if tree.Kind(c) == syntax.Call && string(tree.Source(tree.First(c))) == name {
			out = append(out, c)
		}
	}
	return out
}

func TestNestedFinally(t *testing.T) {
	t.Parallel()
	src, indent := "def f():\n", " "
	for range 90 {
		src += indent + "try: f()\n" + indent + "finally:\n"
		indent += " "
	}
	src += indent + "return 1\n"
	file := syntax.Parse([]byte(src))
	var b Builder
	g := b.Build(&file.Tree, file.First(file.Root()), nil)
	require.True(t, g.Cut())
	require.False(t, g.Reached(Exit))
}
