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

// stepsSomehow reports whether anything in the file steps, or uses gradients by
// hand.
func (f *File) stepsSomehow() bool {
	for _, name := range []string{"step", "optimizer_step", "minimize", "apply_gradients", "train_step", "step_optimizer", "update"} {
		for range f.CallsOf(name) {
			return true
		}
	}
	found := false
	f.Walk(f.Root(), func(n syntax.Node) syntax.Walk {
		if f.Kind(n) == syntax.Attribute && string(f.Name(n)) == "grad" {
			found = true
			return syntax.Stop
		}
		return syntax.Into
	})
	return found
}
