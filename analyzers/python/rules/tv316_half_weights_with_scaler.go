package rules

import (
	"bytes"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

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
		if load := f.loadedHalf(model); load != 0 && !f.frozen(model) {
			return v, load
		}
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

// loadedHalf is where a model is loaded in float16, and nothing casts it back:
// X.from_pretrained(path, torch_dtype=torch.float16). 0: it is not.
func (f *File) loadedHalf(model syntax.Node) syntax.Node {
	list, sure := f.Values(model)
	if !sure || len(list) != 1 {
		return 0 // adapters around frozen weights: model = get_peft_model(model, ...)
	}
	load := list[0]
	for f.Kind(load) == syntax.Call && f.Last(f.First(load)) != "from_pretrained" {
		if n := f.Last(f.First(load)); n != "to" && n != "cuda" && n != "train" || f.Kind(f.First(load)) != syntax.Attribute {
			return 0
		}
		load = f.Receiver(load)
	}
	if f.Kind(load) != syntax.Call || f.castsBack(model) {
		return 0
	}
	for _, key := range []string{"torch_dtype", "dtype"} {
		d := f.Keyword(load, key)
		if text, ok := f.Str(d); ok && text == "float16" || f.isHalf(d, "torch.float16", "torch.half") {
			return load
		}
	}
	return 0
}

// castsBack reports whether the file casts a model, or some of its parameters,
// by hand, or hands it to what may put adapters in.
func (f *File) castsBack(model syntax.Node) bool {
	for _, name := range []string{"float", "add_adapter", "requires_grad_"} {
		for call := range f.CallsOf(name) {
			if f.Same(f.Receiver(call), model) {
				return true
			}
		}
	}
	for call := range f.CallsOf("to") {
		if f.Same(f.Receiver(call), model) && strings.Contains(f.Src(call), "float32") {
			return true
		}
	}
	for _, text := range []string{"requires_grad = False", ".data.float()", "peft"} {
		if bytes.Contains(f.Tree.Text(), []byte(text)) {
			return true
		}
	}
	return false
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
