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
				if first, again := f.steppedAgain(update, s); again != 0 {
					r.Add(Finding{
						At:      update,
						Message: f.Src(s) + " is updated between two steps of " + f.Src(f.Arg(again, 0)) + " on the same gradients: the second divides them by the scale once more",
						Related: []Related{{At: first, Message: "unscaled and stepped on here"}, {At: again, Message: "and here again"}},
					})
				} else if b, step := f.strandedBy(update, s, all); step != 0 {
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

// steppedAgain are two steps of one optimizer around an update, with nothing but
// steps and updates of the scaler between them: no backward made new gradients.
func (f *File) steppedAgain(update, scaler syntax.Node) (first, again syntax.Node) {
	at := f.Parent(update)
	var before []syntax.Node
	past := false
	for stmt := range f.ChildrenOf(f.Parent(at), f.Role(at)) {
		call := f.First(stmt)
		switch {
		case stmt == at:
			past = true
		case f.Kind(stmt) != syntax.ExprStmt || f.Kind(call) != syntax.Call || !f.Same(f.Receiver(call), scaler):
			if past {
				return 0, 0
			}
			before = before[:0]
		case f.Last(f.First(call)) != "step":
		case !past:
			before = append(before, call)
		default:
			for _, b := range before {
				if f.Same(f.Arg(b, 0), f.Arg(call, 0)) {
					return b, call
				}
			}
		}
	}
	return 0, 0
}
