package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv409: gradients are averaged over the ranks by the forward of the wrapper.
// Who calls the model within it trains each rank for itself.
func tv409() Rule {
	return Rule{
		Code:  "TV409",
		Needs: [][]string{{"DistributedDataParallel(", "DDP(", "compute_loss("}, {"backward(", "compute_loss("}},
		Check: func(f *File, r *Report) {
			f.trainersOwnModel(r)
			if f.Uses(managed) {
				return
			}
			all := f.backwards()
			for _, w := range f.wraps(dataParallel()...) {
				if call := f.bypasses(w, all); call != 0 {
					r.Add(Finding{
						At:      call,
						Message: f.Src(f.First(call)) + " is called and not " + f.Src(w.to) + " that wraps it: the gradients are not averaged, and each rank trains a model of its own",
						Related: []Related{{At: w.call, Message: "wrapped here"}},
						Fixes:   []Fix{{Message: "call the wrapper", Edits: []Edit{f.Replace(f.First(call), f.Src(w.to))}}},
					})
				}
			}
		},
	}
}

// bypasses is a call of the raw model whose result is trained on, where the
// wrapper is never called to train.
func (f *File) bypasses(w wrap, all []backward) syntax.Node {
	var raw []syntax.Node
	if !f.Same(w.to, w.raw) && f.Src(w.raw) != f.Src(w.to) {
		raw = f.callsOfObject(w.raw)
	}
	for call := range f.CallsOf("module") { // ddp.module(x)
		if f.Same(f.Receiver(call), w.to) {
			raw = append(raw, call)
		}
	}
	for n := range f.All(syntax.Assign) { // net = ddp.module if parallel else ddp
		if f.unwraps(f.Child(n, syntax.RoleValue), w) {
			for _, call := range f.callsOfObject(f.Child(n, syntax.RoleTarget)) {
				if f.Function(call) == f.Function(n) {
					raw = append(raw, call)
				}
			}
		}
	}
	for _, call := range raw {
		for _, b := range all {
			if f.Function(b.call) != f.Function(call) || f.Loop(b.call) != f.Loop(call) || f.Loop(call) == 0 && !f.isStepOf(w, call) {
				continue
			}
			if f.behind(w, call) && !f.callsWrapper(w, b.call) && f.makesLoss(call, b) && (f.statement(call) == f.statement(b.call) || f.leads(call, b.call, []syntax.Node{f.Loop(call)}, nil)) {
				return call
			}
		}
	}
	return 0
}

// isStepOf reports whether a node stands in another method of the object that
// wraps: what is there in no loop is one step of it.
func (f *File) isStepOf(w wrap, n syntax.Node) bool {
	class := f.Names.Class(n)
	return class != 0 && class == f.Names.Class(w.call) && f.Function(n) != f.Function(w.call)
}

// unwraps reports whether a value is the module of a wrapper, maybe on a
// condition.
func (f *File) unwraps(v syntax.Node, w wrap) bool {
	switch f.Kind(v) {
	case syntax.IfExp:
		return f.unwraps(f.Child(v, syntax.RoleBody), w) || f.unwraps(f.Child(v, syntax.RoleOrElse), w)
	case syntax.Attribute:
		return string(f.Name(v)) == "module" && f.Same(f.First(v), w.to)
	}
	return false
}

// behind reports whether a node is evaluated behind the wrapping: on a path of
// one function, or in another method of the same object.
func (f *File) behind(w wrap, n syntax.Node) bool {
	if f.Function(w.call) == f.Function(n) {
		return f.leads(w.assign, n, f.binds(f.Function(n), w.raw), nil)
	}
	if f.Kind(w.to) == syntax.Name { // a name of the module that a function reads
		for b := range f.Names.Lookup(n, f.Name(w.to)) {
			if b.Target == w.to {
				return true
			}
		}
	}
	return f.Kind(w.to) == syntax.Attribute && f.Names.IsSelf(f.First(w.to)) && f.Names.Class(w.call) == f.Names.Class(n)
}

// callsWrapper reports whether the wrapper is called in the loop of a backward.
func (f *File) callsWrapper(w wrap, back syntax.Node) bool {
	for _, call := range f.callsOfObject(w.to) {
		if f.Function(call) == f.Function(back) {
			return true
		}
	}
	return false
}

// makesLoss reports whether the loss of a backward may come from a call: it is made
// of it, or of names that are bound to what is made of it.
func (f *File) makesLoss(call syntax.Node, b backward) bool {
	return f.madeOf(b.loss, call, map[syntax.Node]bool{})
}

func (f *File) madeOf(n, call syntax.Node, seen map[syntax.Node]bool) bool {
	if n == 0 || seen[n] {
		return false
	}
	seen[n] = true
	for c := range f.Within(n) {
		if c == call {
			return true
		}
		if f.Kind(c) != syntax.Name {
			continue
		}
		for b := range f.Names.Lookup(c, f.Name(c)) {
			if b.Value != 0 && f.Kind(b.Target) == syntax.Name && f.Function(b.Value) == f.Function(call) && !f.Holds(b.Value, c) && f.madeOf(b.Value, call, seen) {
				return true
			}
		}
	}
	return false
}
