package rules

// tv315: the file scales a loss, nothing in it unscales or steps with the
// scaler, and an optimizer steps.
func tv315() Rule {
	return Rule{
		Code:  "TV315",
		Needs: [][]string{{".scale("}, {".step("}, {"backward("}},
		Check: func(f *File, r *Report) {
			if f.Uses(managed) {
				return
			}
			for range f.onScaler("step") {
				return
			}
			for range f.CallsOf("unscale_") {
				return
			}
			for _, b := range f.backwards() {
				if b.scaler == 0 || !f.Made(b.scaler, ".GradScaler") || f.isOff(b.scaler) || len(f.takes(f.Function(b.call), b.scaler)) > 0 {
					continue
				}
				for step, optimizer := range f.optimizerSteps {
					class := f.Names.Class(step)
					if f.Function(step) == f.Function(b.call) || class == 0 || class != f.Names.Class(b.call) {
						continue // TV318 has the first; the others may be of two trainers
					}
					r.Add(Finding{
						At:      b.call,
						Message: "the loss is scaled, and nothing unscales the gradients before " + f.Src(optimizer) + ".step(): each update is as many times too large as the scale",
						Related: []Related{{At: step, Message: "the step"}},
					})
					break
				}
			}
		},
	}
}
