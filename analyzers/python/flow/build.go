package flow

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// maxVertices bounds a graph: copies of nested finally blocks could multiply.
const maxVertices = 1 << 16

// Builder makes graphs. Its zero value is ready. It is for one goroutine.
type Builder struct {
	// Ends says of a call that it never returns; nil: of none. It ends the
	// process, so no handler sees it.
	Ends func(call syntax.Node) bool
	// Suppresses says of the context of a with that it swallows exceptions.
	Suppresses func(context syntax.Node) bool

	tree  *syntax.Tree
	g     *Graph
	stack []syntax.Node // statements of the blocks that are being built
}

// jumps are where control goes that leaves a block other than by its end.
type jumps struct {
	exc            Vertex
	ret, brk, cont *way
}

// way is a target of jumps. Behind a finally it is made when the first jump
// takes it.
type way struct {
	to   Vertex
	make func() Vertex
}

func (w *way) vertex() Vertex {
	if w == nil {
		return Raise // break outside of a loop: no Python
	}
	if w.make != nil {
		w.to, w.make = w.make(), nil
	}
	return w.to
}

// Build makes the graph of a function, a lambda aside, or of the module. The
// graph g is reused; nil makes a new one.
func (b *Builder) Build(tree *syntax.Tree, fn syntax.Node, g *Graph) *Graph {
	if g == nil {
		g = &Graph{}
	}
	g.tree, g.fn, g.cut = tree, fn, false
	g.nodes, g.first, g.links = g.nodes[:0], g.first[:0], g.links[:0]
	g.dom.known = false
	b.tree, b.g, b.stack = tree, g, b.stack[:0]
	for range fixed {
		b.vertex(0)
	}
	start := b.block(fn, syntax.RoleBody, Exit, jumps{exc: Raise, ret: &way{to: Exit}})
	if g.cut {
		g.nodes, g.first, g.links = g.nodes[:fixed], g.first[:fixed], g.links[:0]
		for i := range g.first {
			g.first[i] = -1
		}
	} else {
		b.edge(Entry, start, Next)
	}
	g.finish()
	return g
}

func (b *Builder) vertex(n syntax.Node) Vertex {
	if len(b.g.nodes) >= maxVertices {
		b.g.cut = true
		return Raise
	}
	b.g.nodes = append(b.g.nodes, n)
	b.g.first = append(b.g.first, -1)
	return Vertex(len(b.g.nodes) - 1)
}

func (b *Builder) edge(from, to Vertex, kind Kind) {
	b.g.links = append(b.g.links, link{Edge{to, kind}, b.g.first[from]})
	b.g.first[from] = int32(len(b.g.links) - 1)
}

// step adds a vertex that goes on to another and may raise.
func (b *Builder) step(n syntax.Node, next Vertex, j jumps) Vertex {
	v := b.vertex(n)
	b.edge(v, next, Next)
	b.edge(v, j.exc, Exception)
	return v
}

// block builds the statements of one role below a node, last first, and gives
// the vertex at which they begin.
func (b *Builder) block(n syntax.Node, role syntax.Role, next Vertex, j jumps) Vertex {
	base := len(b.stack)
	for c := b.tree.First(n); c != 0; c = b.tree.Next(c) {
		if b.tree.Role(c) == role {
			b.stack = append(b.stack, c)
		}
	}
	for i := len(b.stack) - 1; i >= base && !b.g.cut; i-- {
		next = b.statement(b.stack[i], next, j)
	}
	b.stack = b.stack[:base]
	return next
}

func (b *Builder) statement(n syntax.Node, next Vertex, j jumps) Vertex {
	switch b.tree.Kind(n) {
	case syntax.Pass, syntax.Global, syntax.Nonlocal:
		v := b.vertex(n)
		b.edge(v, next, Next)
		return v
	case syntax.If:
		return b.branch(n, next, j)
	case syntax.For, syntax.AsyncFor, syntax.While:
		return b.loop(n, next, j)
	case syntax.Try, syntax.TryStar:
		return b.try(n, next, j)
	case syntax.With, syntax.AsyncWith:
		return b.with(n, next, j)
	case syntax.Match:
		return b.match(n, next, j)
	case syntax.ClassDef:
		return b.step(n, b.block(n, syntax.RoleBody, next, j), j)
	case syntax.Return:
		return b.step(n, j.ret.vertex(), j)
	case syntax.Break, syntax.Continue:
		return b.jump(n, j)
	case syntax.Raise:
		v := b.vertex(n)
		b.edge(v, j.exc, Exception)
		return v
	case syntax.Assert:
		return b.assert(n, next, j)
	case syntax.Invalid:
		return b.invalid(n, next, j)
	case syntax.ExprStmt:
		if call := b.tree.First(n); b.Ends != nil && b.tree.Kind(call) == syntax.Call && b.Ends(call) {
			v := b.vertex(n)
			b.edge(v, Raise, Exception)
			return v
		}
	}
	return b.step(n, next, j)
}

// invalid may have a block of its own, which is taken to run or not.
func (b *Builder) invalid(n syntax.Node, next Vertex, j jumps) Vertex {
	body := b.block(n, syntax.RoleBody, next, j)
	v := b.step(n, body, j)
	if body != next {
		b.edge(v, next, Next)
	}
	return v
}

func (b *Builder) jump(n syntax.Node, j jumps) Vertex {
	v := b.vertex(n)
	if b.tree.Kind(n) == syntax.Break {
		b.edge(v, j.brk.vertex(), Next)
	} else {
		b.edge(v, j.cont.vertex(), Next)
	}
	return v
}

// assert goes on when its condition holds.
func (b *Builder) assert(n syntax.Node, next Vertex, j jumps) Vertex {
	v := b.vertex(n)
	if truth(b.tree, b.tree.Child(n, syntax.RoleTest)) >= 0 {
		b.edge(v, next, True)
	}
	b.edge(v, j.exc, Exception)
	return v
}

func (b *Builder) branch(n syntax.Node, next Vertex, j jumps) Vertex {
	v := b.vertex(n)
	body := b.block(n, syntax.RoleBody, next, j)
	orelse := b.block(n, syntax.RoleOrElse, next, j)
	known := truth(b.tree, b.tree.Child(n, syntax.RoleTest))
	if known >= 0 {
		b.edge(v, body, True)
	}
	if known <= 0 {
		b.edge(v, orelse, False)
	}
	b.edge(v, j.exc, Exception)
	return v
}

func (b *Builder) loop(n syntax.Node, next Vertex, j jumps) Vertex {
	v := b.vertex(n)
	inner := j
	inner.brk, inner.cont = &way{to: next}, &way{to: v}
	body := b.block(n, syntax.RoleBody, v, inner)
	orelse := b.block(n, syntax.RoleOrElse, next, j)
	known := 0
	if b.tree.Kind(n) == syntax.While {
		known = truth(b.tree, b.tree.Child(n, syntax.RoleTest))
	}
	if known >= 0 {
		b.edge(v, body, True)
	}
	if known <= 0 {
		b.edge(v, orelse, False)
	}
	b.edge(v, j.exc, Exception)
	return v
}

// truth is 1 for a condition that always holds, -1 for one that never does.
func truth(tree *syntax.Tree, n syntax.Node) int {
	if tree.Kind(n) != syntax.Constant {
		return 0
	}
	switch tree.Op(n) {
	case syntax.True:
		return 1
	case syntax.False, syntax.NoneValue:
		return -1
	case syntax.Int:
		if string(tree.Source(n)) == "0" {
			return -1
		}
		return 1
	}
	return 0
}

func (b *Builder) with(n syntax.Node, next Vertex, j jumps) Vertex {
	inner := j
	for item := range b.tree.ChildrenOf(n, syntax.RoleItem) {
		if b.Suppresses == nil || !b.Suppresses(b.tree.Child(item, syntax.RoleContext)) {
			continue
		}
		d := b.vertex(0)
		b.edge(d, next, Next)
		b.edge(d, inner.exc, Exception)
		inner.exc = d
	}
	body := b.block(n, syntax.RoleBody, next, inner)
	return b.step(n, body, j)
}

func (b *Builder) match(n syntax.Node, next Vertex, j jumps) Vertex {
	base := len(b.stack)
	for c := range b.tree.ChildrenOf(n, syntax.RoleCase) {
		b.stack = append(b.stack, c)
	}
	after := next
	for i := len(b.stack) - 1; i >= base; i-- {
		c := b.stack[i]
		body := b.block(c, syntax.RoleBody, next, j)
		v := b.vertex(c)
		b.edge(v, body, True)
		if !irrefutable(b.tree, c) {
			b.edge(v, after, False)
		}
		b.edge(v, j.exc, Exception)
		after = v
	}
	b.stack = b.stack[:base]
	return b.step(n, after, j)
}

// irrefutable reports whether a case matches everything: case _, case x.
func irrefutable(tree *syntax.Tree, c syntax.Node) bool {
	p := tree.Child(c, syntax.RolePattern)
	return tree.Kind(p) == syntax.MatchAs && tree.First(p) == 0 && tree.Child(c, syntax.RoleGuard) == 0
}
