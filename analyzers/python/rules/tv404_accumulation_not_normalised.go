package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv404: the losses of several batches add up to one step. Not divided by their
// number, the step is that many times too large.
func tv404() Rule {
	return Rule{
		Code:  "TV404",
		Needs: [][]string{{"backward("}, {".step("}, {"accum"}},
		Check: func(f *File, r *Report) {
			if f.Uses(managed | Transformers) {
				return
			}
			steps := f.stepCalls()
			for _, b := range f.backwards() {
				for _, s := range steps {
					loop := f.Loop(b.call)
					if loop == 0 || loop != f.Loop(s.call) || f.Function(s.call) != f.Function(b.call) {
						continue
					}
					m := f.modulo(s.call, loop)
					if m == 0 || !isAccumulation(f.Src(m)) || f.conditional(b.call, loop) || f.divides(loop, m) {
						continue
					}
					r.Add(Finding{
						At:      b.call,
						Message: "the gradients of several batches are added up for one step and the loss is not divided by their number (" + f.Src(f.lastChild(m)) + "): the step is that many times too large",
						Related: []Related{{At: s.call, Message: "the step"}},
					})
					break
				}
			}
		},
	}
}

// isAccumulation tells by its names that a step waits for several batches.
func isAccumulation(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "accum") || strings.Contains(text, "update_freq") || strings.Contains(text, "iter_size")
}

func (f *File) lastChild(n syntax.Node) syntax.Node {
	last := syntax.Node(0)
	for c := range f.Children(n) {
		last = c
	}
	return last
}

// divides reports whether a loss is divided in a loop, by whatever, or weighed.
func (f *File) divides(loop, m syntax.Node) bool {
	found := false
	f.Walk(loop, func(n syntax.Node) syntax.Walk {
		switch f.Kind(n) {
		case syntax.BinOp, syntax.AugAssign:
			if op := f.Op(n); op == syntax.Div || op == syntax.Mult {
				text := strings.ToLower(f.Src(n))
				found = found || strings.Contains(text, "loss") || strings.Contains(text, strings.ToLower(f.Src(f.lastChild(m))))
			}
		case syntax.Call:
			name := f.Last(f.First(n))
			found = found || name == "div" || name == "div_" || name == "accumulate"
		}
		if found {
			return syntax.Stop
		}
		return syntax.Into
	})
	return found
}
