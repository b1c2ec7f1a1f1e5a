package rules

import (
	"maps"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// leads reports whether a path leads from a node to another of its function on
// which none of some others is evaluated. Exceptions are left out, and so are
// paths that no run takes: the tests on the way are held against each other and
// against those around the start, so that "if amp:" twice goes the same way
// both times. known are expressions that hold at the start.
func (f *File) leads(from, to syntax.Node, past, known []syntax.Node) bool {
	g := f.Graph(from)
	if g.Cut() {
		return false
	}
	w := router{f: f, g: g, atoms: map[string]int{}, seen: map[state]bool{}}
	w.collect(from, known)
	for v := range g.At(to) {
		w.goal = append(w.goal, v)
	}
	for _, n := range past {
		for v := range g.At(n) {
			w.walls = append(w.walls, v)
		}
	}
	for v := range g.At(from) {
		if w.search(v) {
			return true
		}
	}
	return false
}

// router looks for a path. A state is a place and what is known there: which
// tests are, and how they came out.
type router struct {
	f           *File
	g           *flow.Graph
	atoms       map[string]int // what tests are made of: the number of a bit
	start       state
	goal, walls []flow.Vertex
	seen        map[state]bool
}

type state struct {
	at            flow.Vertex
	known, truths uint32
}

// maxStates bounds the search; what is not found within it is not reported.
const maxStates = 20000

func (w *router) search(from flow.Vertex) bool {
	w.start.at = from
	stack := []state{w.start}
	for len(stack) > 0 && len(w.seen) < maxStates {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for e := range w.g.Out(s.at) {
			if e.Kind == flow.Exception {
				continue
			}
			next, ok := w.pass(s, e)
			switch {
			case !ok || w.seen[next]:
			case slices.Contains(w.goal, e.Vertex):
				return true
			default:
				w.seen[next] = true
				if !slices.Contains(w.walls, e.Vertex) {
					stack = append(stack, next)
				}
			}
		}
	}
	return false
}

// pass takes an edge: what its test says is learned, what the vertex binds is
// forgotten. Not ok: what is known forbids it.
func (w *router) pass(s state, e flow.Edge) (state, bool) {
	n := w.g.Node(s.at)
	w.forget(&s, n)
	if k := w.f.Kind(n); n != 0 && (k == syntax.If || k == syntax.While) && e.Kind != flow.Next {
		test, holds := w.f.Child(n, syntax.RoleTest), e.Kind == flow.True
		if v := w.truth(test, &s); v != open && (v == yes) != holds || v == open && holds && w.laterArm(n, &s) {
			return s, false
		}
		w.learn(test, holds, &s)
	}
	s.at = e.Vertex
	return s, true
}

// laterArm reports whether the test of an elif below an if is known to hold: the
// arms are alternatives, and the start stands in that one.
func (w *router) laterArm(n syntax.Node, s *state) bool {
	for {
		n = w.f.Child(n, syntax.RoleOrElse)
		if w.f.Kind(n) != syntax.If || w.f.Next(n) != 0 {
			return false
		}
		if w.truth(w.f.Child(n, syntax.RoleTest), s) == yes {
			return true
		}
	}
}

// collect numbers the tests that stand in the function more than once, and
// learns those around the start.
func (w *router) collect(from syntax.Node, known []syntax.Node) {
	count, last := map[string]int{}, map[string]syntax.Node{}
	enter := func(test syntax.Node) {
		for _, holds := range [...]bool{true, false} {
			w.each(test, holds, func(text string, _ bool) {
				if last[text] != test {
					count[text], last[text] = count[text]+1, test
				}
			})
		}
	}
	for v := range w.g.Len() {
		if n := w.g.Node(flow.Vertex(v)); n != 0 && (w.f.Kind(n) == syntax.If || w.f.Kind(n) == syntax.While) {
			enter(w.f.Child(n, syntax.RoleTest))
		}
	}
	for _, n := range known {
		enter(n)
	}
	for _, text := range slices.Sorted(maps.Keys(count)) { // the same in each run, where there are too many
		if count[text] > 1 && len(w.atoms) < 32 {
			w.atoms[text] = len(w.atoms)
		}
	}
	for _, n := range known {
		w.learn(n, true, &w.start)
	}
	for n := from; n != 0 && n != w.g.Function(); n = w.f.Parent(n) {
		w.around(n)
	}
}

// around learns the test of an if that a node is an arm of, and those of what
// stands before it and leaves the block when it holds.
func (w *router) around(n syntax.Node) {
	p := w.f.Parent(n)
	role := w.f.Role(n)
	if w.f.Kind(p) == syntax.If && (role == syntax.RoleBody || role == syntax.RoleOrElse) {
		w.learn(w.f.Child(p, syntax.RoleTest), role == syntax.RoleBody, &w.start)
	}
	for c := range w.f.ChildrenOf(p, role) {
		if c == n {
			return
		}
		if w.f.Kind(c) == syntax.If && w.f.Child(c, syntax.RoleOrElse) == 0 && w.f.jumps(w.f.lastOf(c, syntax.RoleBody)) {
			w.learn(w.f.Child(c, syntax.RoleTest), false, &w.start)
		}
	}
}

func (f *File) jumps(n syntax.Node) bool {
	switch f.Kind(n) {
	case syntax.Return, syntax.Raise, syntax.Continue, syntax.Break:
		return true
	}
	return false
}

func (f *File) lastOf(n syntax.Node, role syntax.Role) syntax.Node {
	last := syntax.Node(0)
	for c := range f.ChildrenOf(n, role) {
		last = c
	}
	return last
}

// each gives what follows from a test that came out as it did: the texts that
// hold and those that do not.
func (w *router) each(test syntax.Node, holds bool, yield func(text string, holds bool)) {
	switch f := w.f; f.Kind(test) {
	case syntax.UnaryOp:
		if f.Op(test) == syntax.Not {
			w.each(f.First(test), !holds, yield)
			return
		}
	case syntax.BoolOp:
		if (f.Op(test) == syntax.And) == holds {
			for c := range f.Children(test) {
				w.each(c, holds, yield)
			}
		}
		return
	case syntax.Name:
		if v := w.meaning(test); v != 0 {
			w.each(v, holds, yield)
		}
	}
	text, turned := w.f.atom(test)
	yield(text, holds != turned)
}

func (w *router) learn(test syntax.Node, holds bool, s *state) {
	w.each(test, holds, func(text string, holds bool) {
		if i, ok := w.atoms[text]; ok {
			s.known |= 1 << i
			s.truths &^= 1 << i
			if holds {
				s.truths |= 1 << i
			}
		}
	})
}

// meaning is the test that a name is bound to, and nothing else; 0: none.
func (w *router) meaning(n syntax.Node) syntax.Node {
	list, sure := w.f.Values(n)
	if !sure || len(list) != 1 {
		return 0
	}
	switch w.f.Kind(list[0]) {
	case syntax.Compare, syntax.BoolOp, syntax.UnaryOp:
		return list[0]
	}
	return 0
}

// atom is the text of a test without spaces, over "is not None", "is None" and
// "!="; turned: the test says the opposite of it.
func (f *File) atom(n syntax.Node) (text string, turned bool) {
	if f.Kind(n) == syntax.Compare {
		left := f.First(n)
		right := f.Next(left)
		if f.Next(right) == 0 {
			switch op := f.CompareOp(right); {
			case op == syntax.Is && f.IsNone(right):
				return tight(f.Src(left)), true
			case op == syntax.IsNot && f.IsNone(right):
				return tight(f.Src(left)), false
			case op == syntax.NotEq:
				return tight(f.Src(left)) + "==" + tight(f.Src(right)), true
			}
		}
	}
	return tight(f.Src(n)), false
}

func tight(s string) string { return strings.Join(strings.Fields(strings.ReplaceAll(s, " ", "")), "") }

// answer of a test: what is known decides it or leaves it open.
type answer uint8

const (
	open answer = iota
	yes
	no
)

func (a answer) not() answer {
	switch a {
	case yes:
		return no
	case no:
		return yes
	}
	return open
}

func (w *router) truth(test syntax.Node, s *state) answer {
	f := w.f
	switch f.Kind(test) {
	case syntax.Constant:
		switch {
		case f.IsTrue(test):
			return yes
		case f.IsFalse(test):
			return no
		}
	case syntax.UnaryOp:
		if f.Op(test) == syntax.Not {
			return w.truth(f.First(test), s).not()
		}
	case syntax.BoolOp:
		return w.joined(test, s)
	case syntax.Name:
		if v := w.meaning(test); v != 0 {
			if a := w.truth(v, s); a != open {
				return a
			}
		}
	}
	text, turned := f.atom(test)
	i, ok := w.atoms[text]
	if !ok || s.known&(1<<i) == 0 {
		return open
	}
	a := no
	if s.truths&(1<<i) != 0 {
		a = yes
	}
	if turned {
		return a.not()
	}
	return a
}

func (w *router) joined(test syntax.Node, s *state) answer {
	decides, all := no, yes // of an and; of an or it is the other way round
	if w.f.Op(test) == syntax.Or {
		decides, all = yes, no
	}
	for c := range w.f.Children(test) {
		switch w.truth(c, s) {
		case decides:
			return decides
		case open:
			all = open
		}
	}
	return all
}

// forget drops what is known of names that a statement binds.
func (w *router) forget(s *state, n syntax.Node) {
	if s.known == 0 || n == 0 {
		return
	}
	f := w.f
	drop := func(target syntax.Node) {
		text := tight(f.Src(target))
		for atom, i := range w.atoms {
			if s.known&(1<<i) != 0 && holdsWord(atom, text) {
				s.known &^= 1 << i
				s.truths &^= 1 << i
			}
		}
	}
	switch f.Kind(n) {
	case syntax.Assign, syntax.AugAssign, syntax.AnnAssign, syntax.For, syntax.AsyncFor:
		for t := range f.ChildrenOf(n, syntax.RoleTarget) {
			if k := f.Kind(t); k == syntax.Tuple || k == syntax.List {
				for c := range f.Children(t) {
					drop(c)
				}
			} else {
				drop(t)
			}
			if list := f.Kind(n) != syntax.Assign; list {
				break
			}
		}
	}
}

// holdsWord reports whether a dotted name stands in a text as a whole.
func holdsWord(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 || name == "" {
			return false
		}
		start, end := at+i, at+i+len(name)
		if (start == 0 || !inName(text[start-1])) && (end == len(text) || !inWord(text[end])) {
			return true
		}
		at = end
	}
}

func inWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

func inName(c byte) bool { return inWord(c) || c == '.' }
