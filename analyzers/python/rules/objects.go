package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// listed reports whether a name, in any letter case, is in a list of the
// catalogue.
func listed(list, name string) bool { return catalog.Python().List(list).Has(strings.ToLower(name)) }

// isScaler knows gradient scalers: by name, or by what the name is bound to.
func (f *File) isScaler(n syntax.Node) bool {
	if n == 0 {
		return false
	}
	if name := f.Last(n); listed("scaler-name", name) {
		return !listed("scaler-not-name", name)
	}
	return f.bound(n, "scaler-class")
}

// isTorchScaler leaves out scalers of others, that unscale elsewhere: a
// DynamicLossScaler, a NativeScaler.
func (f *File) isTorchScaler(n syntax.Node) bool {
	if !f.isScaler(n) {
		return false
	}
	list, _ := f.Values(n)
	for _, v := range list {
		if name := f.Last(f.First(v)); f.Kind(v) == syntax.Call && !strings.Contains(strings.ToLower(name), "gradscaler") && listed("scaler-class", name) {
			return false
		}
	}
	return true
}

// isOptimizer knows optimizers of torch's kind.
func (f *File) isOptimizer(n syntax.Node) bool {
	if n == 0 || f.isScheduler(n) {
		return false
	}
	return listed("optimizer-name", f.Last(n)) || f.bound(n, "optimizer-class")
}

// isScheduler knows schedulers, those of diffusion too.
func (f *File) isScheduler(n syntax.Node) bool {
	if n == 0 {
		return false
	}
	name := strings.ToLower(f.Last(n))
	if listed("scheduler-name", name) {
		return strings.Contains(name, "sched") || !strings.Contains(name, "optim")
	}
	return !listed("optimizer-name", name) && f.bound(n, "scheduler-class")
}

// bound reports whether a name or an attribute of self is bound to what one of
// the classes of a list makes, or annotated with one.
func (f *File) bound(n syntax.Node, list string) bool {
	is := func(b names.Binding) bool {
		switch b.How {
		case names.Assign:
			return b.Part <= 0 && f.Kind(b.Value) == syntax.Call && listed(list, f.Last(f.First(b.Value)))
		case names.Annotation:
			return listed(list, f.Last(b.Value))
		}
		return false
	}
	switch f.Kind(n) {
	case syntax.Name:
		for b := range f.Names.Lookup(n, f.Name(n)) {
			if is(b) {
				return true
			}
		}
	case syntax.Attribute:
		if f.Names.IsSelf(f.First(n)) {
			for b := range f.Names.Attr(f.Names.Class(n), f.Name(n)) {
				if is(b) {
					return true
				}
			}
		}
	}
	return false
}

// args is how many arguments a call has, keywords counted.
func (f *File) args(call syntax.Node) (positional, keywords int) {
	for c := range f.Children(call) {
		switch f.Role(c) {
		case syntax.RoleArg:
			positional++
		case syntax.RoleKeyword:
			keywords++
		}
	}
	return positional, keywords
}

// steps are the calls of step on an optimizer in the function of a node.
func (f *File) optimizerSteps(yield func(call, optimizer syntax.Node) bool) {
	for call := range f.CallsOf("step") {
		object := f.Receiver(call)
		if object == 0 || f.isScaler(object) || !f.isOptimizer(object) {
			continue
		}
		if !yield(call, object) {
			return
		}
	}
}

// clears are the calls of a function that clear gradients, and the assignments
// of None to a grad.
func (f *File) clears(def syntax.Node) []syntax.Node {
	var out []syntax.Node
	for call := range f.CallsOf("zero_grad") {
		if f.Function(call) == def {
			out = append(out, call)
		}
	}
	for n := range f.All(syntax.Assign) {
		if t := f.Child(n, syntax.RoleTarget); f.Kind(t) == syntax.Attribute && string(f.Name(t)) == "grad" && f.Function(n) == def {
			out = append(out, n)
		}
	}
	return out
}

// calls are the calls of a name in a function.
func (f *File) calls(def syntax.Node, name string) []syntax.Node {
	var out []syntax.Node
	for call := range f.CallsOf(name) {
		if f.Function(call) == def {
			out = append(out, call)
		}
	}
	return out
}

// takes are the calls of a function that are handed an expression, or an object
// whose last name is the same: they may do anything with it.
func (f *File) takes(def, object syntax.Node) []syntax.Node {
	var out []syntax.Node
	name := f.Last(object)
	f.Walk(def, func(n syntax.Node) syntax.Walk {
		if f.Kind(n) != syntax.Call {
			return syntax.Into
		}
		for c := range f.Children(n) {
			v := c
			switch f.Role(c) {
			case syntax.RoleArg:
			case syntax.RoleKeyword:
				v = f.Child(c, syntax.RoleValue)
			default:
				continue
			}
			if k := f.Kind(v); (k == syntax.Name || k == syntax.Attribute) && f.Last(v) == name && f.Function(n) == def {
				out = append(out, n)
			}
		}
		return syntax.Into
	})
	return out
}

// ownCalls are the calls of a function whose callee stands in this file and
// holds a call of one of these names, over at most two functions.
func (f *File) ownCalls(def syntax.Node, of ...string) []syntax.Node {
	var out []syntax.Node
	for n := range f.Within(def) {
		if f.Kind(n) != syntax.Call {
			continue
		}
		if callee, _ := f.Calls.Callee(n); callee != 0 && callee != def && f.callsWithin(callee, 2, of) {
			out = append(out, n)
		}
	}
	return out
}

func (f *File) callsWithin(def syntax.Node, hops int, of []string) bool {
	for _, name := range of {
		for call := range f.CallsOf(name) {
			if f.Holds(def, call) {
				return true
			}
		}
	}
	if hops == 0 {
		return false
	}
	for n := range f.Within(def) {
		if f.Kind(n) == syntax.Call {
			if callee, _ := f.Calls.Callee(n); callee != 0 && callee != def && f.callsWithin(callee, hops-1, of) {
				return true
			}
		}
	}
	return false
}
