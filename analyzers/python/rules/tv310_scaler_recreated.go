package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv310: a scaler that is made anew each epoch forgets the scale that it has
// found: the first steps of every epoch are skipped again.
func tv310() Rule {
	return Rule{
		Code:  "TV310",
		Needs: [][]string{{"GradScaler("}, {".step("}},
		Check: func(f *File, r *Report) {
			for call := range f.CallsOf("GradScaler") {
				if f.IsFalse(f.Keyword(call, "enabled")) {
					continue
				}
				if loop := f.remadeIn(call); loop != 0 {
					r.Add(Finding{
						At:      call,
						Message: "the scaler is made anew in each turn of a loop: it starts at its first scale again, and the steps that this overflows are skipped each time",
						Related: []Related{{At: loop, Message: "the loop"}},
					})
				}
			}
		},
	}
}

// remadeIn is the loop in whose turns a scaler is made for the same model; 0:
// it is made once, or everything is.
func (f *File) remadeIn(call syntax.Node) syntax.Node {
	if loop := f.epochLoop(call); loop != 0 {
		return loop
	}
	def := f.Function(call)
	if def == f.Root() || f.makesOptimizer(def) || !f.trainsWith(def, call) {
		return 0
	}
	for _, at := range f.Calls.Callers(def) {
		if f.Kind(at) == syntax.Call {
			if loop := f.epochLoop(at); loop != 0 {
				return loop
			}
		}
	}
	return 0
}

// epochLoop is the loop around a node, if nothing is trained anew in it: no
// optimizer is made there, and it goes over no folds or trials.
func (f *File) epochLoop(n syntax.Node) syntax.Node {
	loop := f.Loop(n)
	if loop == 0 || f.makesOptimizer(loop) {
		return 0
	}
	head := strings.ToLower(f.Src(f.Child(loop, syntax.RoleTarget)) + f.Src(f.Child(loop, syntax.RoleIter)))
	for _, word := range []string{"epoch", "step", "batch", "loader", "iter"} {
		if strings.Contains(head, word) && !strings.Contains(head, "fold") {
			return loop
		}
	}
	return 0
}

// makesOptimizer reports whether an optimizer is made in a part of the tree, or
// a function that may make one is called.
func (f *File) makesOptimizer(within syntax.Node) bool {
	found := false
	f.Walk(within, func(n syntax.Node) syntax.Walk {
		if f.Kind(n) == syntax.Call {
			name := f.Last(f.First(n))
			found = found || listed("optimizer-class", name) && f.Receiver(n) == 0 || f.Is(n, ".optim."+name) || strings.Contains(strings.ToLower(name), "optimizer")
		}
		if found {
			return syntax.Stop
		}
		return syntax.Into
	})
	return found
}

// trainsWith reports whether a function steps with the scaler that it makes.
func (f *File) trainsWith(def, call syntax.Node) bool {
	for step := range f.onScaler("step") {
		if f.Function(step) == def && f.Kind(f.Parent(call)) == syntax.Assign && f.Last(f.Receiver(step)) == f.Last(f.Child(f.Parent(call), syntax.RoleTarget)) {
			return f.Names.Function(step) != 0 && f.Kind(f.Child(f.Parent(call), syntax.RoleTarget)) == syntax.Name
		}
	}
	return false
}
