package guarded

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// departure is how an exception leaves the handler that caught it.
type departure struct {
	goesOn bool   // on some path as none
	where  string // on which: "where quiet", "unless strict"; empty: on every one
}

// departs says how what is caught leaves a handler again.
func (a *Analyzer) departs(h syntax.Node) departure {
	if a.ofCheck != nil {
		return a.leavesBy(h)
	}
	out, ok := a.leaving[h]
	if !ok {
		out = a.leavesBy(h)
		a.leaving[h] = out
	}
	return out
}

func (a *Analyzer) leavesBy(h syntax.Node) departure {
	f := a.function(a.around(h))
	if f.g.Cut() {
		return departure{goesOn: true}
	}
	for v := range f.g.At(h) {
		if f.g.Reached(v) {
			if way := a.escapes(f, h, v); way.goesOn {
				return way
			}
		}
	}
	return departure{}
}

// escapes finds a path that leads out of a handler without an exception, of
// those that what it caught can take.
func (a *Analyzer) escapes(f *function, h syntax.Node, from flow.Vertex) departure {
	type place struct {
		at    flow.Vertex
		where string
	}
	seen := make([]bool, f.g.Len())
	seen[from] = true
	stack := []place{{at: from}}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for e := range f.g.Out(p.at) {
			if e.Kind == flow.Exception || p.at == from && e.Kind == flow.False || seen[e.Vertex] || !a.possible(f, h, p.at, e.Kind) {
				continue
			}
			if a.neverReturns(f.g.Node(p.at)) {
				continue
			}
			where := p.where
			if w := a.branch(f.g.Node(p.at), h, e.Kind); w != "" {
				where = w
			}
			if !f.inside(h, e.Vertex) {
				return departure{true, where}
			}
			seen[e.Vertex] = true
			stack = append(stack, place{e.Vertex, where})
		}
	}
	return departure{}
}

// branch says on what condition an edge of an if is taken, where one arm of it
// leaves with an exception: else it does not matter which is taken.
func (a *Analyzer) branch(n, h syntax.Node, kind flow.Kind) string {
	if n == h || a.tree.Kind(n) != syntax.If || kind != flow.True && kind != flow.False {
		return ""
	}
	test := a.tree.Child(n, syntax.RoleTest)
	word := "where "
	if kind == flow.False {
		word = "unless "
		if a.tree.Kind(test) == syntax.UnaryOp && a.tree.Op(test) == syntax.Not {
			word, test = "where ", a.tree.First(test)
		}
	}
	text := strings.Join(strings.Fields(string(a.tree.Source(test))), " ")
	if len(text) > maxTest {
		text = text[:strings.LastIndexByte(text[:maxTest], ' ')+1] + "..."
	}
	return word + text
}

// maxTest is how much of a condition is said.
const maxTest = 60

// inside reports whether a vertex lies in a node; those of a finally block
// around the handler do not.
func (f *function) inside(h syntax.Node, v flow.Vertex) bool {
	for p := f.g.Node(v); p != 0; p = f.a.tree.Parent(p) {
		if p == h {
			return true
		}
	}
	return false
}

// possible reports whether what is caught can take an edge: isinstance(e, Fault)
// holds for a fault, isinstance(e, KeyError) does not.
func (a *Analyzer) possible(f *function, h syntax.Node, v flow.Vertex, kind flow.Kind) bool {
	n := f.g.Node(v)
	if n == h || a.tree.Kind(n) != syntax.If || kind != flow.True && kind != flow.False {
		return true
	}
	switch a.isCaught(a.tree.Child(n, syntax.RoleTest), a.tree.Name(h)) {
	case yes:
		return kind == flow.True
	case no:
		return kind == flow.False
	}
	return true
}

// isCaught answers a test about what a handler caught.
func (a *Analyzer) isCaught(test syntax.Node, name []byte) answer {
	switch a.tree.Kind(test) {
	case syntax.UnaryOp:
		if a.tree.Op(test) == syntax.Not {
			switch a.isCaught(a.tree.First(test), name) {
			case yes:
				return no
			case no:
				return yes
			}
		}
	case syntax.Call:
		fun := a.tree.First(test)
		object := a.tree.Child(test, syntax.RoleArg)
		if a.last(fun) == "isinstance" && object != 0 && name != nil && string(a.tree.Source(object)) == string(name) {
			return a.meets(a.tree.Next(object))
		}
	}
	return maybe
}
