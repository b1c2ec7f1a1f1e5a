package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv403: a loop over batches that computes gradients which nothing uses.
func tv403() Rule {
	return Rule{
		Code:  "TV403",
		Needs: [][]string{{"backward("}, {"optim"}},
		Check: func(f *File, r *Report) {
			if f.Uses(managed|Transformers) || f.stepsSomehow() {
				return
			}
			for _, b := range f.backwards() {
				loop := f.Loop(b.call)
				if loop == 0 || f.Kind(loop) == syntax.While {
					continue
				}
				head := strings.ToLower(f.Src(f.Child(loop, syntax.RoleTarget)) + " " + f.Src(f.Child(loop, syntax.RoleIter)))
				if !strings.Contains(head, "loader") && !strings.Contains(head, "batch") {
					continue
				}
				r.Add(Finding{
					At:      b.call,
					Message: "this loop computes gradients, and no optimizer steps on them: the model stays as it is",
					Related: []Related{{At: loop, Message: "the loop"}},
				})
				return
			}
		},
	}
}

// stepsByName tells by the name of a call that it may step: step_and_update_lr,
// optimize, minimize, apply_gradients.
func stepsByName(name string) bool {
	for _, part := range []string{"step", "optimize", "minimize", "apply_grad", "update"} {
		if strings.Contains(name, part) && !strings.HasPrefix(name, "get_") && name != "optimizer" {
			return true
		}
	}
	return false
}

// stepsSomehow reports whether anything in the file steps, or uses gradients by
// hand.
func (f *File) stepsSomehow() bool {
	found := false
	f.Walk(f.Root(), func(n syntax.Node) syntax.Walk {
		switch f.Kind(n) {
		case syntax.Attribute:
			found = found || string(f.Name(n)) == "grad"
		case syntax.Call:
			found = found || stepsByName(strings.ToLower(f.Last(f.First(n))))
		}
		if found {
			return syntax.Stop
		}
		return syntax.Into
	})
	return found
}
