package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv512: classes are learnt by their squared distance, whose gradient vanishes
// where the model is sure and wrong.
func tv512() Rule {
	return Rule{
		Code:  "TV512",
		Needs: [][]string{{"MSELoss(", "mse_loss("}, {"one_hot", "softmax", "num_classes"}},
		Check: func(f *File, r *Report) {
			for call := range f.CallsOf("mse_loss") {
				f.squaredClasses(r, call)
			}
			for made := range f.CallsOf("MSELoss") {
				target := f.Child(f.Parent(made), syntax.RoleTarget)
				if f.Kind(f.Parent(made)) != syntax.Assign || f.Last(target) == "" {
					continue
				}
				for call := range f.CallsOf(f.Last(target)) {
					f.squaredClasses(r, call)
				}
			}
		},
	}
}

func (f *File) squaredClasses(r *Report, call syntax.Node) {
	target := f.ArgOr(call, 1, "target")
	if at := f.oneHot(target); at != 0 {
		r.Add(Finding{At: call, Message: "classes are learnt by their squared distance: where the model is sure and wrong the gradient vanishes, and the loss cannot be compared with a cross entropy",
			Related: []Related{{At: at, Message: "the target is a class"}}})
	}
}

// oneHot is what makes an expression a class as a vector; 0: it is none.
func (f *File) oneHot(n syntax.Node) syntax.Node {
	for hops := 0; n != 0 && hops < 8; hops++ {
		switch f.Kind(n) {
		case syntax.Call:
			if name := strings.ToLower(f.Last(f.First(n))); name == "one_hot" || name == "onehot" || name == "to_one_hot" {
				return n
			}
			n = f.Receiver(n)
		case syntax.Name:
			list, _ := f.Values(n)
			if len(list) != 1 {
				return 0
			}
			n = list[0]
		default:
			return 0
		}
	}
	return 0
}
