package rules

import (
	"iter"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// index lists the calls of a tree by the last name of their callee and other
// nodes by kind: chains through one slice, made in one pass.
type index struct {
	done  bool
	next  []syntax.Node // by node: the next one of its chain
	kinds [256]syntax.Node
	last  [256]syntax.Node
	heads []chain // open addressing, by the hash of the name
	used  []int32 // slots of heads, to clear them
}

type chain struct{ first, last syntax.Node }

const indexSlots = 1 << 13

func (x *index) reset() {
	x.done = false
	for _, i := range x.used {
		x.heads[i] = chain{}
	}
	x.used = x.used[:0]
	clear(x.kinds[:])
	clear(x.last[:])
}

func (x *index) make(t *syntax.Tree) {
	if x.done {
		return
	}
	x.done = true
	if cap(x.next) < t.Len() {
		x.next = make([]syntax.Node, t.Len()+t.Len()/2)
	}
	x.next = x.next[:cap(x.next)]
	if x.heads == nil {
		x.heads = make([]chain, indexSlots)
	}
	for n := t.Root(); int(n) < t.Len(); n++ {
		k := t.Kind(n)
		if t.Parent(n) == 0 && n != t.Root() {
			continue // left over from a parse that was taken back
		}
		switch k {
		case syntax.Name, syntax.Attribute, syntax.Constant, syntax.Param, syntax.Keyword, syntax.Alias:
			continue // too many, and never asked for
		case syntax.Call:
			if name := t.Name(t.First(n)); name != nil {
				if h := x.slot(t, name); h >= 0 {
					x.link(h, n)
				}
			}
		}
		x.next[n] = 0
		if k == syntax.Call {
			continue
		}
		if x.kinds[k] == 0 {
			x.kinds[k] = n
		} else {
			x.next[x.last[k]] = n
		}
		x.last[k] = n
	}
}

func (x *index) link(slot int, n syntax.Node) {
	c := &x.heads[slot]
	if c.first == 0 {
		c.first = n
		x.used = append(x.used, int32(slot))
	} else {
		x.next[c.last] = n
	}
	c.last = n
}

// slot finds the slot of a name; -1: the table is full, as no real file makes it.
func (x *index) slot(t *syntax.Tree, name []byte) int {
	h := uint32(2166136261)
	for _, c := range name {
		h = (h ^ uint32(c)) * 16777619
	}
	for i := range uint32(indexSlots) {
		s := (h + i) & (indexSlots - 1)
		first := x.heads[s].first
		if first == 0 {
			if len(x.used) > indexSlots*3/4 {
				return -1
			}
			return int(s)
		}
		if string(t.Name(t.First(first))) == string(name) {
			return int(s)
		}
	}
	return -1
}

func (x *index) named(t *syntax.Tree, name string) syntax.Node {
	if s := x.slot(t, []byte(name)); s >= 0 {
		return x.heads[s].first
	}
	return 0
}

func (x *index) chain(n syntax.Node) iter.Seq[syntax.Node] {
	return func(yield func(syntax.Node) bool) {
		for ; n != 0; n = x.next[n] {
			if !yield(n) {
				return
			}
		}
	}
}
