package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv207: a step whose loss or gradient is not finite is left out, and nobody is
// told: the run is shorter than it says, and a model that diverges looks well.
func tv207() Rule {
	return Rule{
		Code: "TV207", Needs: [][]string{{"isnan", "isinf", "isfinite"}, {"backward(", ".step("}},
		Check: func(f *File, r *Report) {
			for n := range f.All(syntax.If) {
				test := f.Child(n, syntax.RoleTest)
				if (f.nonFinite(test) && f.skipsSilently(n) && f.stepsBeside(n) && !withoutGradients(f.Tree, n) || f.stepsOnlyIfFinite(n, test)) && !f.toldBefore(n, test) {
					r.Say(test, "a step on what is not finite is left out here and neither counted nor told: the run is shorter than it says")
				}
			}
		},
	}
}

// stepsOnlyIfFinite reports whether the body of an if steps where a loss or a norm
// is finite, and nothing is done where it is not, nor counted where it is.
func (f *File) stepsOnlyIfFinite(n, test syntax.Node) bool {
	if !f.asksFinite(test) {
		return false
	}
	for range f.ChildrenOf(n, syntax.RoleOrElse) {
		return false
	}
	steps := false
	for s := range f.ChildrenOf(n, syntax.RoleBody) {
		for c := range f.Within(s) {
			switch f.Kind(c) {
			case syntax.AugAssign:
				return false
			case syntax.Call:
				steps = steps || f.Last(f.First(c)) == "step" && (f.isOptimizer(f.Receiver(c)) || f.isScaler(f.Receiver(c)))
			}
		}
	}
	return steps && !f.stepsBehind(n)
}

// stepsBehind reports whether an optimizer also steps outside of an if, in the
// same function: then that is not the only way to a step.
func (f *File) stepsBehind(n syntax.Node) bool {
	for _, s := range f.stepCalls() {
		if f.Function(s.call) == f.Function(n) && f.Start(s.call) > f.End(n) && !flow.Exclusive(f.Tree, s.call, n) {
			return true
		}
	}
	return false
}

// toldBefore reports whether an if before this one, in the same block or one
// around it, asks the same of the same value and tells somebody, or counts.
func (f *File) toldBefore(n, test syntax.Node) bool {
	asked := f.finiteOf(test)
	for ; n != 0 && !f.Kind(n).IsFunction(); n = f.Parent(n) {
		if p := f.Parent(n); f.Kind(p) == syntax.If && f.Role(n) == syntax.RoleOrElse && f.Kind(n) == syntax.If {
			continue // of a chain the first stands in the block
		}
		for s := f.First(f.Parent(n)); s != 0 && s != n; s = f.Next(s) {
			if f.Kind(s) == syntax.If && asked != "" && f.finiteOf(f.Child(s, syntax.RoleTest)) == asked && f.tellsIn(s) {
				return true
			}
		}
	}
	return false
}

// finiteOf is what a test asks to be finite, as it is written; empty: nothing.
func (f *File) finiteOf(test syntax.Node) string {
	for n := range f.Preorder(test) {
		if f.Kind(n) != syntax.Call {
			continue
		}
		switch strings.ToLower(f.Last(f.First(n))) {
		case "isnan", "isinf", "isfinite":
			if a := f.Arg(n, 0); a != 0 {
				return f.Src(a)
			}
		}
	}
	return ""
}

// tellsIn reports whether the body of an if calls something that is no part of
// a step, or counts.
func (f *File) tellsIn(n syntax.Node) bool {
	for s := range f.ChildrenOf(n, syntax.RoleBody) {
		for c := range f.Within(s) {
			switch f.Kind(c) {
			case syntax.AugAssign, syntax.Print:
				return true
			case syntax.Call:
				if !partOfStep(f.Last(f.First(c))) {
					return true
				}
			}
		}
	}
	return false
}

// partOfStep reports whether a call of this name tells nobody anything.
func partOfStep(name string) bool {
	switch name {
	case "zero_grad", "empty_cache", "update", "backward", "step":
		return true
	}
	return false
}

// asksFinite reports whether a test holds only where a loss or a gradient is
// finite.
func (f *File) asksFinite(test syntax.Node) bool {
	switch f.Kind(test) {
	case syntax.BoolOp:
		if f.Op(test) != syntax.And {
			return false
		}
		for c := range f.Children(test) {
			if f.asksFinite(c) {
				return true
			}
		}
	case syntax.UnaryOp:
		if f.Op(test) == syntax.Not {
			c := f.First(test)
			return f.nonFinite(c) && !f.negatesFinite(c)
		}
	case syntax.Call:
		if o := f.Receiver(test); f.Kind(o) == syntax.Call {
			return f.asksFinite(o) // isfinite(loss).all()
		}
		return strings.EqualFold(f.Last(f.First(test)), "isfinite") && f.trained(f.Src(test))
	}
	return false
}

// negatesFinite reports whether an expression asks by isfinite.
func (f *File) negatesFinite(n syntax.Node) bool {
	return strings.Contains(strings.ToLower(f.Src(n)), "isfinite")
}

// trained reports whether a text speaks of a loss or of gradients.
func (f *File) trained(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "loss") || strings.Contains(text, "grad") || strings.Contains(text, "norm")
}

// nonFinite reports whether a test holds where a loss or a gradient is not
// finite.
func (f *File) nonFinite(test syntax.Node) bool {
	found := false
	f.Walk(test, func(n syntax.Node) syntax.Walk {
		if f.Kind(n) == syntax.Call {
			name := strings.ToLower(f.Last(f.First(n)))
			if (name == "isnan" || name == "isinf" || name == "isfinite" && f.negated(n, test)) && f.trained(f.Src(n)) {
				found = true
				return syntax.Stop
			}
		}
		return syntax.Into
	})
	return found
}

func (f *File) negated(n, top syntax.Node) bool {
	for p := n; ; p = f.Parent(p) {
		if f.Kind(p) == syntax.UnaryOp && f.Op(p) == syntax.Not {
			return true
		}
		if p == top {
			return false
		}
	}
}

// skipsSilently reports whether the body of an if leaves the iteration and does
// nothing that anybody could see.
func (f *File) skipsSilently(n syntax.Node) bool {
	leaves := false
	for s := range f.ChildrenOf(n, syntax.RoleBody) {
		for c := range f.Within(s) {
			switch f.Kind(c) {
			case syntax.Continue:
				leaves = true
			case syntax.Return:
				leaves = leaves || f.First(c) == 0
			case syntax.Raise, syntax.AugAssign, syntax.Break, syntax.Assign, syntax.Print:
				return false
			case syntax.Call:
				if !partOfStep(f.Last(f.First(c))) {
					return false // it logs, or counts
				}
			}
		}
	}
	return leaves
}

// stepsBeside reports whether a backward pass or a step stands in the same function.
func (f *File) stepsBeside(n syntax.Node) bool {
	fn := f.Function(n)
	for _, name := range []string{"backward", "step"} {
		for call := range f.CallsOf(name) {
			if f.Function(call) == fn {
				return true
			}
		}
	}
	return false
}
