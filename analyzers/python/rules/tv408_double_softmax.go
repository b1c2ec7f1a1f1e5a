package rules

import (
	"slices"

	"github.com/trainvet/trainvet/analyzers/python/names"
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
	from := f.madeBy(f.ArgOr(loss, 0, "input"), loss)
	if f.Kind(from) != syntax.Call {
		return
	}
	name := f.squashOf(from)
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

// madeBy is the call that makes what is given to a loss, through names and the
// methods that give it another shape.
func (f *File) madeBy(n, loss syntax.Node) syntax.Node {
	for range 6 { // names of names, and their shapes
		switch {
		case f.Kind(n) == syntax.Call && f.Kind(f.First(n)) == syntax.Attribute && reshapes(f.Last(f.First(n))):
			n = f.First(f.First(n))
		case f.Kind(n) == syntax.Name:
			n = f.lastValue(n, loss)
		default:
			return n
		}
	}
	return 0
}

func reshapes(method string) bool {
	switch method {
	case "view", "reshape", "resize", "squeeze", "unsqueeze", "flatten", "contiguous", "float":
		return true
	}
	return false
}

// lastValue is what a name was bound to last before a node, in a block around
// it; of a loop over a batch that is what it goes over. 0: it may be another
// value.
func (f *File) lastValue(name, before syntax.Node) syntax.Node {
	if list, sure := f.Values(name); sure && len(list) == 1 && f.Function(list[0]) == f.Function(before) {
		return list[0]
	}
	var last names.Binding
	for b := range f.Names.Bindings(f.Function(before), f.Name(name)) {
		if b.Target != 0 && f.Start(b.Target) < f.Start(name) && (last.Target == 0 || f.Start(b.Target) > f.Start(last.Target)) {
			last = b
		}
	}
	s := f.statement(last.Target)
	switch {
	case last.Target == 0:
		return 0
	case f.Kind(s) == syntax.For && f.Child(s, syntax.RoleTarget) == last.Target && f.Holds(s, before):
		return f.Child(s, syntax.RoleIter)
	case last.How != names.Assign || last.Part != names.Whole || !f.Holds(f.Parent(s), before) || f.otherArm(s, before):
		return 0
	}
	return last.Value
}

// otherArm reports whether a statement stands in another part of what holds it
// than a node does: the body of an if, of which the node is the else.
func (f *File) otherArm(s, n syntax.Node) bool {
	for n != 0 && f.Parent(n) != f.Parent(s) {
		n = f.Parent(n)
	}
	return f.Role(n) != f.Role(s)
}

// squashesItself is where the model that a call runs takes a softmax or a sigmoid
// at its end, by its class in this file or as the last part of a Sequential.
func (f *File) squashesItself(call syntax.Node) (at syntax.Node, name string) {
	if class := f.Names.Class(call); class != 0 && f.Names.IsSelf(f.First(call)) {
		return f.squashedForward(class) // self(x)
	}
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

// isLogSoftmax reports whether a call takes the logarithm of a softmax, as a
// function or as a module that is made so.
func (f *File) isLogSoftmax(call syntax.Node) bool {
	if f.Last(f.First(call)) == "log_softmax" {
		return true
	}
	list, sure := f.Values(f.First(call))
	return sure && len(list) == 1 && f.Kind(list[0]) == syntax.Call && f.Is(list[0], "torch.nn.LogSoftmax")
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
	if inner := f.Arg(call, 0); name == "exp" && f.Kind(inner) == syntax.Call && f.isLogSoftmax(inner) {
		return "softmax"
	}
	list, sure := f.Values(f.First(call))
	if sure && len(list) == 1 {
		return f.squashModule(list[0])
	}
	return ""
}
