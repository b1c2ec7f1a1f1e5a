package rules

import (
	"bytes"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// comparesNaN reports whether a file names NaN, or asks in one line whether
// something is above or below: a best value, a loss, a norm.
func comparesNaN(g *Glance) bool {
	for _, w := range nanWords {
		if g.Says(w) {
			return true
		}
	}
	for _, w := range []string{"best", "loss", "lowest", "norm"} {
		if g.Each(w, func(at int) bool { return asksOrder(around(g.Text, at, 0)) }) {
			return true
		}
	}
	return false
}

func asksOrder(line []byte) bool {
	line = bytes.TrimSpace(line)
	return (bytes.HasPrefix(line, []byte("if")) || bytes.HasPrefix(line, []byte("elif"))) && bytes.ContainsAny(line, "<>")
}

// order is a comparison value < bound, or one of the three others.
type order struct {
	value, bound syntax.Node
	above        bool // it holds where the value is the larger one
}

// orderOf takes an ordering comparison apart; other is what it is held against
// where isBound knows the one side.
func (f *File) orderOf(n syntax.Node, isBound func(syntax.Node) bool) (o order, ok bool) {
	if f.Kind(n) != syntax.Compare {
		return o, false
	}
	left := f.First(n)
	right := f.Child(n, syntax.RoleRight)
	if f.Next(right) != 0 {
		return o, false // a < b < c
	}
	switch f.CompareOp(right) {
	case syntax.Gt, syntax.GtE:
		o.above = true
	case syntax.Lt, syntax.LtE:
	default:
		return o, false
	}
	switch {
	case isBound(right):
		o.value, o.bound = left, right
	case isBound(left):
		o.value, o.bound, o.above = right, left, !o.above
	default:
		return o, false
	}
	return o, true
}

// takenForBest: if loss > best: wait, else: best = loss. A loss that is NaN is
// not above the best one, so it becomes the best one, and its model is kept.
func (f *File) takenForBest(r *Report, n syntax.Node) {
	o, at, ok := f.heldAgainstBest(f.Child(n, syntax.RoleTest))
	if !ok || !f.mayBeNaN(o.value, 2) || f.asksNaN(f.Function(n)) {
		return
	}
	best := f.stem(o.bound)
	for s := range f.ChildrenOf(n, syntax.RoleBody) {
		if f.assigns(s, best) != 0 {
			return
		}
	}
	taken := f.takenElse(n, best)
	if taken == 0 {
		return
	}
	r.Add(Finding{
		At:      at,
		Message: "false where " + f.Src(o.value) + " is NaN, which is then taken for the best: what is worth keeping is thrown away for a model that diverged",
		Related: []Related{{At: taken, Message: "taken here"}},
	})
}

// heldAgainstBest finds the comparison with a best value in a test that is false
// as a whole where the comparison is.
func (f *File) heldAgainstBest(test syntax.Node) (o order, at syntax.Node, ok bool) {
	if f.Kind(test) == syntax.BoolOp && f.Op(test) == syntax.And {
		for c := range f.Children(test) {
			if o, at, ok = f.heldAgainstBest(c); ok {
				return o, at, true
			}
		}
		return o, 0, false
	}
	o, ok = f.orderOf(test, func(c syntax.Node) bool {
		name := strings.ToLower(f.Last(f.stem(c)))
		return strings.Contains(name, "best") || strings.Contains(name, "lowest")
	})
	return o, test, ok
}

// stem is what a margin is added to: best of best + delta.
func (f *File) stem(n syntax.Node) syntax.Node {
	for n != 0 && f.Kind(n) == syntax.BinOp {
		n = f.First(n)
	}
	return n
}

// assigns finds in a statement an assignment to the same name or attribute.
func (f *File) assigns(s, target syntax.Node) syntax.Node {
	for c := range f.Within(s) {
		if f.Kind(c) == syntax.Assign && f.Same(f.Child(c, syntax.RoleTarget), target) {
			return c
		}
	}
	return 0
}

// takenElse is where a best value is replaced when the test of an if is false: in
// the else, or behind an if that leaves.
func (f *File) takenElse(n, best syntax.Node) syntax.Node {
	last, some := syntax.Node(0), false
	for s := range f.ChildrenOf(n, syntax.RoleOrElse) {
		some = true
		if f.Kind(s) == syntax.If { // another test, which NaN may fail too
			continue
		}
		if at := f.assigns(s, best); at != 0 {
			return at
		}
	}
	if some {
		return 0
	}
	for s := range f.ChildrenOf(n, syntax.RoleBody) {
		last = s
	}
	switch f.Kind(last) {
	case syntax.Return, syntax.Continue:
	default:
		return 0
	}
	role := f.Role(n)
	for s := f.Next(n); s != 0 && f.Role(s) == role; s = f.Next(s) {
		if f.Kind(s) == syntax.Assign && f.Same(f.Child(s, syntax.RoleTarget), best) {
			return s
		}
		if f.Kind(s) == syntax.If {
			return 0
		}
	}
	return 0
}

// neverAbove: if loss > limit: stop. A loss that is NaN is never above.
func (f *File) neverAbove(r *Report, n syntax.Node) {
	test := f.Child(n, syntax.RoleTest)
	o, ok := f.orderOf(test, f.isLimit)
	if !ok || !o.above || !f.diverges(o.value) || !f.stops(n) || f.asksNaN(f.Function(n)) {
		return
	}
	r.Say(test, "where %s is NaN it is never above %s: what this was to stop goes on", f.Src(o.value), f.Src(o.bound))
}

// isLimit reports whether an expression is a number, or called a limit.
func (f *File) isLimit(n syntax.Node) bool {
	if f.Kind(n) == syntax.Constant {
		return f.Op(n) == syntax.Int || f.Op(n) == syntax.Float
	}
	return named("limit", f.Last(n))
}

// diverges reports whether an expression is a loss or the norm of gradients.
func (f *File) diverges(n syntax.Node) bool {
	switch f.Kind(n) {
	case syntax.Name, syntax.Attribute:
		return named("diverging", f.Last(n))
	case syntax.Call: // loss.item(), float(loss), abs(loss)
		if o := f.Receiver(n); o != 0 && f.Arg(n, 0) == 0 {
			return f.diverges(o)
		}
		return f.Kind(f.First(n)) == syntax.Name && f.Arg(n, 0) != 0 && f.diverges(f.Arg(n, 0))
	}
	return false
}

// stops reports whether the body of an if ends the loop or the run.
func (f *File) stops(n syntax.Node) bool {
	for s := range f.ChildrenOf(n, syntax.RoleBody) {
		switch f.Kind(s) {
		case syntax.Break, syntax.Raise:
			return true
		case syntax.ExprStmt:
			if c := f.First(s); f.Kind(c) == syntax.Call && f.Is(c, "sys.exit", "exit", "quit", "os._exit", "os.abort") {
				return true
			}
		}
	}
	return false
}

// mayBeNaN reports whether a value is one that NaN gets into: a loss, what is
// made of one, or what is handed over for one. A share of right answers is a
// number whatever the model computes.
func (f *File) mayBeNaN(n syntax.Node, hops int) bool {
	switch f.Kind(n) {
	case syntax.UnaryOp, syntax.BinOp, syntax.Subscript:
		return f.mayBeNaN(f.First(n), hops)
	case syntax.Call:
		if o := f.Receiver(n); o != 0 && f.Arg(n, 0) == 0 {
			return f.mayBeNaN(o, hops)
		}
	case syntax.Name, syntax.Attribute:
		name := f.Last(n)
		if named("diverging", name) {
			return true
		}
		if !named("judgement", name) || hops == 0 {
			return false
		}
		if f.Param(n) != 0 {
			return true
		}
		list, _ := f.Values(n)
		for _, v := range list {
			if f.mayBeNaN(v, hops-1) {
				return true
			}
		}
	}
	return false
}

// asksNaN reports whether a function asks whether something is a number.
func (f *File) asksNaN(fn syntax.Node) bool {
	for c := range f.Preorder(fn) {
		switch f.Kind(c) {
		case syntax.Call:
			name := strings.ToLower(f.Last(f.First(c)))
			if strings.Contains(name, "isnan") || strings.Contains(name, "isfinite") || strings.Contains(name, "isinf") || strings.Contains(name, "nan_to_num") || strings.Contains(name, "finite") {
				return true
			}
		case syntax.Compare:
			right := f.Child(c, syntax.RoleRight)
			if op := f.CompareOp(right); (op == syntax.NotEq || op == syntax.Eq) && (f.Same(f.First(c), right) || f.isNaN(right)) {
				return true
			}
		}
	}
	return false
}
