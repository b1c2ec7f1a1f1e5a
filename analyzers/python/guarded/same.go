package guarded

import (
	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// covers reports whether an expression holds all the ids that a variable has
// at a vertex: the same variable, or both made of the same one.
func (f *function) covers(n syntax.Node, key string, at flow.Vertex, hops int) bool {
	for range maxHops {
		root, whole, _ := f.a.base(n)
		if !whole {
			return false
		}
		iter, _ := f.a.loopOf(root)
		if iter == 0 {
			n = root
			break
		}
		n = iter
	}
	k := f.a.key(n)
	if k == "" || hops <= 0 {
		return false
	}
	mine, theirs := f.origins(k, at, true), f.origins(key, at, false)
	for _, a := range mine {
		for _, b := range theirs {
			if a == b {
				return true
			}
		}
	}
	return false
}

// from is a variable as one definition left it.
type from struct {
	key string
	def int32
}

// origins are the variables that one was made of, as they still are: all of
// their ids, or some.
func (f *function) origins(key string, at flow.Vertex, all bool) []from {
	last := f.reaching(key)[at]
	out := []from{{key, last}}
	for range maxHops {
		if last < 0 {
			return out
		}
		d := &f.defs[last]
		root, whole, _ := f.a.base(d.value)
		if d.value == 0 || d.key != key || d.partial || d.part != names.Whole || all && (!whole || d.loop) {
			return out
		}
		if g := f.a.tree.Kind(root); g == syntax.Call {
			if c := f.a.guardOf(root); c.arg != 0 && c.returns {
				root, _, _ = f.a.base(c.arg)
			}
		}
		k := f.a.key(root)
		if k == "" || k == key {
			return out
		}
		key = k
		before := f.reaching(key)[d.at]
		if before == unseen || before == manyDefs || f.reaching(key)[at] != before {
			return out
		}
		last = before
		out = append(out, from{key, last})
	}
	return out
}

// What reaches a vertex of a variable besides the index of one definition.
const (
	noDef    = -1
	manyDefs = -2
	unseen   = -3
)

// reaching gives the definition of a variable that each vertex sees.
func (f *function) reaching(key string) []int32 {
	if r := f.reach[key]; r != nil {
		return r
	}
	r := make([]int32, f.g.Len())
	for v := range r {
		r[v] = unseen
	}
	r[flow.Entry] = noDef
	for changed := true; changed; {
		changed = false
		for v := f.g.Len() - 1; v > int(flow.Entry); v-- {
			in := int32(unseen)
			for _, e := range f.g.In(flow.Vertex(v)) {
				before := r[e.Vertex]
				if f.defAt[e.Vertex] != f.defAt[e.Vertex+1] {
					before = f.leaving(before, key, e)
				}
				in = join(in, before)
			}
			if in != r[v] {
				r[v], changed = in, true
			}
		}
	}
	f.reach[key] = r
	return r
}

// leaving is the definition that who leaves a vertex by an edge sees.
func (f *function) leaving(before int32, key string, e flow.Edge) int32 {
	if before == unseen {
		return unseen // nobody comes here, or not yet
	}
	out := before
	for i := f.defAt[e.Vertex]; i < f.defAt[e.Vertex+1]; i++ {
		if d := &f.defs[i]; d.defines(key) && !(d.loop && e.Kind == flow.False) {
			out = i
		}
	}
	if e.Kind == flow.Exception {
		return join(before, out)
	}
	return out
}

func join(a, b int32) int32 {
	switch {
	case a == unseen || a == b:
		return b
	case b == unseen:
		return a
	}
	return manyDefs
}
