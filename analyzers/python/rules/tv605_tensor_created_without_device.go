package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv605: a tensor that a forward pass makes is on the default device, and meets
// one of the model.
func tv605() Rule {
	return Rule{
		Code:  "TV605",
		Needs: [][]string{{"def forward", "def training_step", "def loss"}, {"torch.zeros(", "torch.ones(", "torch.rand", "torch.arange(", "torch.full(", "torch.eye(", "torch.linspace(", "torch.empty("}},
		Check: func(f *File, r *Report) {
			if f.says(f.Root(), "set_default_device", "set_default_tensor_type") {
				return
			}
			for _, name := range []string{"zeros", "ones", "rand", "randn", "arange", "full", "eye", "linspace", "empty"} {
				for call := range f.CallsOf(name) {
					if f.Is(call, "torch."+name) && f.Keyword(call, "device") == 0 && !f.Unpacks(call) && f.inForward(call) && f.meetsModel(call) {
						r.Say(call, "the tensor is made on the default device and meets one of the model: on an accelerator that fails, or costs a copy in every step")
					}
				}
			}
		},
	}
}

func (f *File) inForward(n syntax.Node) bool {
	name := string(f.Name(f.Function(n)))
	return f.Kind(f.Function(n)).IsFunction() && (name == "forward" || name == "training_step" || name == "loss" || strings.HasSuffix(name, "_loss"))
}

// meetsModel reports whether what a call makes is computed with at once: an
// operand, not moved before.
func (f *File) meetsModel(call syntax.Node) bool {
	p := f.Parent(call)
	if f.Kind(p) != syntax.BinOp {
		return false
	}
	other := f.First(p)
	if other == call {
		other = f.Next(call)
	}
	k := f.Kind(other)
	return (k == syntax.Name || k == syntax.Attribute || k == syntax.Call) && !f.says(other, "torch.", "len(", "int(", "math.") && f.Param(other) != 0
}
