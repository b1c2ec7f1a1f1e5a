package flow

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// try builds a try statement. Its finally block is built once for each way
// that leads through it.
func (b *Builder) try(n syntax.Node, next Vertex, j jumps) Vertex {
	outer := j
	if b.tree.Child(n, syntax.RoleFinal) != 0 {
		through := func(to Vertex) Vertex { return b.block(n, syntax.RoleFinal, to, outer) }
		next = through(next)
		j.exc = through(outer.exc)
		for _, w := range []**way{&j.ret, &j.brk, &j.cont} {
			if target := *w; target != nil {
				*w = &way{make: func() Vertex { return through(target.vertex()) }}
			}
		}
	}
	inner := j
	if b.tree.Child(n, syntax.RoleHandler) != 0 {
		inner.exc = b.handlers(n, next, j)
	}
	orelse := b.block(n, syntax.RoleOrElse, next, j)
	return b.block(n, syntax.RoleBody, orelse, inner)
}

// handlers builds them, last first, and gives the first one: an exception is
// held against one after the other and goes on behind the last.
func (b *Builder) handlers(n syntax.Node, next Vertex, j jumps) Vertex {
	base := len(b.stack)
	for h := range b.tree.ChildrenOf(n, syntax.RoleHandler) {
		b.stack = append(b.stack, h)
	}
	after := j.exc
	for i := len(b.stack) - 1; i >= base; i-- {
		h := b.stack[i]
		body := b.block(h, syntax.RoleBody, next, j)
		v := b.vertex(h)
		b.edge(v, body, True)
		if !catchesAll(b.tree, h) {
			b.edge(v, after, False)
		}
		after = v
	}
	b.stack = b.stack[:base]
	return after
}

// catchesAll reports whether nothing passes a handler.
func catchesAll(tree *syntax.Tree, h syntax.Node) bool {
	t := tree.Child(h, syntax.RoleType)
	return tree.Kind(h) == syntax.ExceptHandler && (t == 0 || tree.Kind(t) == syntax.Name && string(tree.Name(t)) == "BaseException")
}
