package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv318: an optimizer that steps on gradients of a scaled loss takes them as
// they are, 65536 times too large, and no overflow is skipped.
func tv318() Rule {
	return Rule{
		Code:  "TV318",
		Needs: [][]string{{".scale("}, {".step("}, {"backward("}},
		Check: func(f *File, r *Report) {
			if f.Uses(managed) {
				return
			}
			all := f.backwards()
			for step, optimizer := range f.optimizerSteps {
				scaled, plain := f.scaling(f.Function(step), all)
				for _, b := range scaled {
					if !f.isOff(b.scaler) && f.leads(b.call, step, append(f.relieved(step, b.scaler, optimizer), plain...), []syntax.Node{b.scaler}) {
						r.Add(f.directStep(step, optimizer, b))
						break
					}
				}
			}
		},
	}
}

// relieved are the calls of a function after which the gradients of an
// optimizer are no longer scaled, or are gone.
func (f *File) relieved(at, scaler, optimizer syntax.Node) []syntax.Node {
	def := f.Function(at)
	out := append(f.ofScaler(def, scaler, "unscale_"), f.clears(def)...)
	for _, step := range f.ofScaler(def, scaler, "step") {
		if o := f.Arg(step, 0); o == 0 || f.Same(o, optimizer) || f.Kind(o) != syntax.Name && f.Kind(o) != syntax.Attribute {
			out = append(out, step)
		}
	}
	return append(out, f.ownCalls(def, "unscale_")...)
}

func (f *File) directStep(step, optimizer syntax.Node, b backward) Finding {
	out := Finding{
		At:      step,
		Message: f.Src(optimizer) + ".step() takes gradients that are still scaled: each update is as many times too large as the scale, and one that overflowed is not skipped",
		Related: []Related{{At: b.call, Message: "the loss is scaled here"}},
	}
	if positional, keywords := f.args(step); positional+keywords == 0 && f.Kind(f.Parent(step)) == syntax.ExprStmt {
		text := f.Src(b.scaler) + ".step(" + f.Src(optimizer) + ")"
		edits := []Edit{f.Replace(step, text)}
		if len(f.ofScaler(f.Function(step), b.scaler, "update")) == 0 {
			edits[0].New += "\n" + f.indent(f.Parent(step)) + f.Src(b.scaler) + ".update()"
		}
		out.Fixes = []Fix{{Message: "let the scaler step", Edits: edits}}
	}
	return out
}
