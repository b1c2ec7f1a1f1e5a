package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv408: cross entropy takes a softmax itself. Of probabilities it makes nearly
// equal ones: the gradients are small, and the loss cannot come near zero.
func tv408() Rule {
	return Rule{
		Code:  "TV408",
		Needs: [][]string{{"softmax", "sigmoid", "Softmax", "Sigmoid"}, {"cross_entropy", "CrossEntropyLoss", "BCEWithLogitsLoss", "with_logits"}},
		Check: func(f *File, r *Report) {
			for _, name := range []string{"cross_entropy", "binary_cross_entropy_with_logits"} {
				for call := range f.CallsOf(name) {
					if f.Is(call, "torch.nn.functional."+name) {
						f.squashed(r, call, name == "cross_entropy")
					}
				}
			}
			for n := range f.All(syntax.Assign) {
				v := f.Child(n, syntax.RoleValue)
				entropy := f.Kind(v) == syntax.Call && f.Is(v, "torch.nn.CrossEntropyLoss")
				if t := f.Child(n, syntax.RoleTarget); entropy || f.Kind(v) == syntax.Call && f.Is(v, "torch.nn.BCEWithLogitsLoss") {
					for call := range f.CallsOf(f.Last(t)) {
						if f.Same(f.First(call), t) {
							f.squashed(r, call, entropy)
						}
					}
				}
			}
		},
	}
}

// squashed reports a loss whose first argument is made of probabilities.
func (f *File) squashed(r *Report, loss syntax.Node, entropy bool) {
	arg := f.ArgOr(loss, 0, "input")
	from := arg
	if f.Kind(arg) == syntax.Name {
		list, sure := f.Values(arg)
		if !sure || len(list) != 1 || f.Function(list[0]) != f.Function(loss) {
			return
		}
		from = list[0]
	}
	if f.Kind(from) != syntax.Call {
		return
	}
	name := f.Last(f.First(from))
	if entropy && name == "softmax" || !entropy && name == "sigmoid" {
		r.Add(Finding{
			At:      loss,
			Message: "this loss takes the " + name + " itself, and is given its result: the gradients are small and the loss cannot come near zero",
			Related: []Related{{At: from, Message: "taken here"}},
		})
	}
}
