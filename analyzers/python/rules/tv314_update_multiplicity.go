package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv314: an update changes the scale. Gradients that were scaled before it and
// are stepped on behind it are divided by the wrong one, and the overflow that
// was found in them is forgotten.
func tv314() Rule {
	return Rule{
		Code:  "TV314",
		Needs: [][]string{{"scaler", "Scaler"}, {".update("}, {".scale("}},
		Check: func(f *File, r *Report) {
			if f.Uses(managed) {
				return
			}
			all := f.backwards()
			for update, s := range f.onScaler("update") {
				if f.isOff(s) {
					continue
				}
				if b, step := f.strandedBy(update, s, all); step != 0 {
					r.Add(Finding{
						At:      update,
						Message: f.Src(s) + " is updated between the backward and the step of " + f.Src(f.Arg(step, 0)) + ": its gradients are divided by a scale that they were not multiplied with",
						Related: []Related{{At: b, Message: "scaled here"}, {At: step, Message: "stepped on here"}},
					})
				}
			}
		},
	}
}

// strandedBy is a step on gradients that were scaled before an update, and the
// backward that made them.
func (f *File) strandedBy(update, scaler syntax.Node, all []backward) (back, step syntax.Node) {
	def := f.Function(update)
	scaled, _ := f.scaling(def, all)
	steps := f.ofScaler(def, scaler, "step")
	var backs []syntax.Node
	for _, b := range scaled {
		backs = append(backs, b.call)
	}
	for _, to := range steps {
		o := f.Arg(to, 0)
		if o == 0 {
			continue
		}
		var done []syntax.Node // the step of the same optimizer, what clears or unscales
		for _, s := range steps {
			if f.Same(f.Arg(s, 0), o) {
				done = append(done, s)
			}
		}
		known := []syntax.Node{scaler}
		if !f.leads(update, to, append(append(backs, done...), f.clears(def)...), known) {
			continue
		}
		past := append(append(done, f.clears(def)...), f.ofScaler(def, scaler, "unscale_")...)
		for _, b := range backs {
			if f.leads(b, update, append(past, f.binds(def, o)...), known) {
				return b, to
			}
		}
	}
	return 0, 0
}
