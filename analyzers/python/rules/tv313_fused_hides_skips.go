package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv313: a fused optimizer is entered on a skipped step too and decides on the
// device. Who looks whether step was called never sees a skip.
func tv313() Rule {
	return Rule{
		Code:  "TV313",
		Needs: [][]string{{"fused=True"}, {"step_was_skipped"}},
		Check: func(f *File, r *Report) {
			fused := f.fusedOptimizer()
			if fused == 0 {
				return
			}
			f.Walk(f.Root(), func(n syntax.Node) syntax.Walk {
				if f.Kind(n) == syntax.Attribute && f.Context(n) == syntax.Load {
					switch string(f.Name(n)) {
					case "step_was_skipped", "optimizer_step_was_skipped":
						r.Add(Finding{
							At:      n,
							Message: "this is always false for a fused optimizer: it is entered on a skipped step too",
							Related: []Related{{At: fused, Message: "the optimizer is fused"}},
						})
					}
				}
				return syntax.Into
			})
		},
	}
}

// fusedOptimizer is a call that makes one.
func (f *File) fusedOptimizer() syntax.Node {
	found := syntax.Node(0)
	f.Walk(f.Root(), func(n syntax.Node) syntax.Walk {
		if f.Kind(n) == syntax.Call && f.IsTrue(f.Keyword(n, "fused")) && listed("optimizer-class", f.Last(f.First(n))) {
			found = n
			return syntax.Stop
		}
		return syntax.Into
	})
	return found
}
