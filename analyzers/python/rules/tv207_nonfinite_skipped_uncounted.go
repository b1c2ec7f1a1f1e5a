package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv207: a step whose loss or gradient is not finite is left out, and nobody is
// told: the run is shorter than it says, and a model that diverges looks well.
func tv207() Rule {
	return Rule{
		Code: "TV207", Needs: [][]string{{"isnan", "isinf", "isfinite"}, {"backward(", ".step("}},
		Check: func(f *File, r *Report) {
			for n := range f.All(syntax.If) {
				if test := f.Child(n, syntax.RoleTest); f.nonFinite(test) && f.skipsSilently(n) && f.stepsBeside(n) {
					r.Say(test, "a step on what is not finite is left out here and neither counted nor told: the run is shorter than it says")
				}
			}
		},
	}
}

// nonFinite reports whether a test holds where a loss or a gradient is not
// finite.
func (f *File) nonFinite(test syntax.Node) bool {
	found := false
	f.Walk(test, func(n syntax.Node) syntax.Walk {
		if f.Kind(n) == syntax.Call {
			name := strings.ToLower(f.Last(f.First(n)))
			text := strings.ToLower(f.Src(n))
			if (name == "isnan" || name == "isinf" || name == "isfinite" && f.negated(n, test)) && (strings.Contains(text, "loss") || strings.Contains(text, "grad") || strings.Contains(text, "norm")) {
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
				if name := f.Last(f.First(c)); name != "zero_grad" && name != "empty_cache" && name != "update" && name != "backward" && name != "step" {
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
