package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv316: a scaler needs weights in float32: float16 ones cannot take updates
// that are small against them, and their gradients cannot be unscaled.
func tv316() Rule {
	return Rule{
		Code:  "TV316",
		Needs: [][]string{{"scaler", "Scaler"}, {".half()", "float16", "torch.half"}, {".step("}, {".parameters()"}},
		Check: func(f *File, r *Report) {
			if f.Uses(managed) {
				return
			}
			for step, s := range f.onScaler("step") {
				if f.isOff(s) {
					continue
				}
				if made, half := f.halfWeights(f.Arg(step, 0)); half != 0 {
					r.Add(Finding{
						At:      half,
						Message: "these weights are float16 and an optimizer steps them through a scaler: their gradients cannot be unscaled, and small updates are rounded away",
						Related: []Related{{At: made, Message: "the optimizer holds them"}, {At: step, Message: "the scaler steps it"}},
					})
				}
			}
		},
	}
}

// halfWeights is where a model is made half whose parameters an optimizer was
// given, and where that was.
func (f *File) halfWeights(optimizer syntax.Node) (made, half syntax.Node) {
	list, _ := f.Values(optimizer)
	for _, v := range list {
		params := f.Arg(v, 0)
		if f.Kind(v) != syntax.Call || f.Kind(params) != syntax.Call || f.Last(f.First(params)) != "parameters" {
			continue
		}
		model := f.Receiver(params)
		for _, name := range []string{"half", "to"} {
			for call := range f.CallsOf(name) {
				if !f.Same(f.Receiver(call), model) || f.Function(call) != f.Function(v) || f.frozen(model) {
					continue
				}
				if name == "half" || f.isHalf(f.ArgOr(call, 0, "dtype"), "torch.float16", "torch.half") || f.isHalf(f.Arg(call, 1), "torch.float16", "torch.half") {
					if !f.mayStayFull(call, v) {
						return v, call
					}
				}
			}
		}
	}
	return 0, 0
}

// frozen reports whether the file switches off gradients of a model.
func (f *File) frozen(model syntax.Node) bool {
	for call := range f.CallsOf("requires_grad_") {
		if f.Same(f.Receiver(call), model) {
			return true
		}
	}
	return false
}

// mayStayFull reports whether the cast is on a branch, or taken back.
func (f *File) mayStayFull(cast, made syntax.Node) bool {
	if !f.Graph(cast).Dominates(cast, made) && !f.Graph(made).Dominates(made, cast) {
		return true
	}
	for call := range f.CallsOf("float") {
		if f.Same(f.Receiver(call), f.Receiver(cast)) {
			return true
		}
	}
	return false
}
