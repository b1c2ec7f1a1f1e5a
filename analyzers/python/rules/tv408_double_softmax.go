package rules

import (
	"slices"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

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
						if list, _ := f.Values(f.First(call)); f.Same(f.First(call), t) && slices.Contains(list, v) {
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
	if at, by := f.squashesItself(from); at != 0 && (entropy && by == "softmax" || !entropy && by == "sigmoid") {
		from, name = at, by
	}
	if entropy && name == "softmax" || !entropy && name == "sigmoid" {
		r.Add(Finding{
			At:      loss,
			Message: "this loss takes the " + name + " itself, and is given its result: the gradients are small and the loss cannot come near zero",
			Related: []Related{{At: from, Message: "taken here"}},
		})
	}
}

// squashesItself is where the model that a call runs takes a softmax or a sigmoid
// at its end, by its class in this file or as the last part of a Sequential.
func (f *File) squashesItself(call syntax.Node) (at syntax.Node, name string) {
	list, sure := f.Values(f.First(call))
	if !sure || len(list) != 1 {
		return 0, ""
	}
	made := list[0]
	for f.Kind(made) == syntax.Call && f.Receiver(made) != 0 && f.Kind(f.Receiver(made)) == syntax.Call {
		made = f.Receiver(made) // Net().to(device)
	}
	if f.Kind(made) != syntax.Call {
		return 0, ""
	}
	if f.Last(f.First(made)) == "Sequential" {
		last := syntax.Node(0)
		for a := range f.ChildrenOf(made, syntax.RoleArg) {
			last = a
		}
		return last, f.squashModule(last)
	}
	for class := range f.All(syntax.ClassDef) {
		if string(f.Name(class)) == f.Last(f.First(made)) && f.isModuleClass(class) {
			return f.squashedForward(class)
		}
	}
	return 0, ""
}

// squashModule is what nn.Softmax(...) or nn.Sigmoid() takes; empty: neither.
func (f *File) squashModule(n syntax.Node) string {
	switch {
	case n == 0 || f.Kind(n) != syntax.Call:
	case f.Is(n, "torch.nn.Softmax"):
		return "softmax"
	case f.Is(n, "torch.nn.Sigmoid"):
		return "sigmoid"
	}
	return ""
}

// squashedForward is what the forward of a class gives back always: in an if it
// may be for evaluation alone.
func (f *File) squashedForward(class syntax.Node) (at syntax.Node, name string) {
	returns := 0
	for def := range f.All(syntax.FunctionDef) {
		if string(f.Name(def)) != "forward" || f.Names.Class(def) != class {
			continue
		}
		for n := range f.Within(def) {
			if f.Kind(n) != syntax.Return {
				continue
			}
			returns++
			v := f.First(n)
			if f.Kind(v) == syntax.Name {
				if binds := f.binds(def, v); len(binds) > 0 && f.Kind(binds[len(binds)-1]) == syntax.Assign && f.Parent(binds[len(binds)-1]) == def {
					v = f.Child(binds[len(binds)-1], syntax.RoleValue)
				}
			}
			if f.Kind(v) == syntax.Call {
				at, name = v, f.squashOf(v)
			}
		}
	}
	if returns != 1 || name == "" {
		return 0, ""
	}
	return at, name
}

// squashOf is the function that a call takes: F.softmax(x), x.softmax(-1),
// self.act(x) where that is made so.
func (f *File) squashOf(call syntax.Node) string {
	name := f.Last(f.First(call))
	if name == "softmax" || name == "sigmoid" {
		return name
	}
	list, sure := f.Values(f.First(call))
	if sure && len(list) == 1 {
		return f.squashModule(list[0])
	}
	return ""
}
