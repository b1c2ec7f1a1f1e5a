package rules

import (
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv410: a wrapper hangs its hooks on the parameters that it finds. Those of a
// model that is moved or cast later are others: the ranks part without a word.
func tv410() Rule {
	return Rule{
		Code:  "TV410",
		Needs: [][]string{{"DistributedDataParallel(", "DDP(", "FullyShardedDataParallel(", "FSDP("}},
		Check: func(f *File, r *Report) {
			if f.Uses(managed) {
				return
			}
			for _, w := range f.wraps(append(dataParallel(), fullySharded()...)...) {
				for _, name := range moves() {
					for call := range f.CallsOf(name) {
						if f.movesWrapped(w, call) || f.movesAndBack(w, call) {
							r.Add(moved(call, f.Src(w.to), w.call))
						}
					}
				}
			}
			f.movedAsMade(r)
		},
	}
}

// moves are the methods that give a model other parameters.
func moves() []string {
	return []string{"cpu", "cuda", "to", "half", "float", "double", "bfloat16"}
}

func moved(at syntax.Node, what string, wrapped syntax.Node) Finding {
	return Finding{
		At:      at,
		Message: what + " is moved or cast behind its wrapping: the hooks stay on the parameters from before, and the gradients of the ranks are no longer averaged",
		Related: []Related{{At: wrapped, Message: "wrapped here"}},
	}
}

// movedAsMade reports wrappers that are moved or cast where they are made:
// model = DDP(model).to(device).
func (f *File) movedAsMade(r *Report) {
	trains := false
	for range f.CallsOf("backward") {
		trains = true
	}
	if !trains {
		return
	}
	for _, name := range append(dataParallel(), fullySharded()...) {
		for call := range f.CallsOf(name) {
			fun := f.Parent(call)
			move := f.Parent(fun)
			raw := f.ArgOr(call, 0, "module")
			if raw == 0 || f.Kind(fun) != syntax.Attribute || f.Kind(move) != syntax.Call || f.First(move) != fun || !slices.Contains(moves(), string(f.Name(fun))) {
				continue
			}
			assign := f.statement(move)
			if f.Kind(assign) == syntax.Assign && !f.wasThere(wrap{call: call, assign: assign, to: f.Child(assign, syntax.RoleTarget), raw: raw}, move) {
				r.Add(moved(move, f.Src(call), call))
			}
		}
	}
}

// movesWrapped reports whether a call moves or casts a wrapped model that is
// trained afterwards.
func (f *File) movesWrapped(w wrap, call syntax.Node) bool {
	object := f.Receiver(call)
	if f.Kind(object) == syntax.Attribute && string(f.Name(object)) == "module" {
		object = f.First(object)
	}
	if !f.Same(object, w.to) || f.Function(call) != f.Function(w.call) || f.wasThere(w, call) {
		return false
	}
	past := f.binds(f.Function(call), w.to)
	for i, p := range past {
		if p == f.statement(call) || p == w.assign { // model = model.to(x) is what is looked for
			past[i] = 0
		}
	}
	return f.leads(w.assign, call, past, nil) && f.trainedBehind(w, call)
}

// movesAndBack reports whether another method of the object that wraps moves the
// model away and back: it goes on with it. Who moves it and leaves it there may
// be done.
func (f *File) movesAndBack(w wrap, call syntax.Node) bool {
	def, class := f.Function(call), f.Names.Class(call)
	if class == 0 || class != f.Names.Class(w.call) || def == f.Function(w.call) || !f.Same(f.Receiver(call), w.to) || f.Loop(call) != 0 {
		return false
	}
	away, back := false, false
	for _, name := range []string{"cpu", "cuda", "to"} {
		for _, other := range f.calls(def, name) {
			if f.Same(f.Receiver(other), w.to) {
				toHost := name == "cpu" || strings.Contains(f.Src(f.Arg(other, 0)), "cpu")
				away, back = away || toHost, back || !toHost
			}
		}
	}
	if !away || !back {
		return false
	}
	for b := range f.CallsOf("backward") {
		if f.Names.Class(b) == class {
			return true
		}
	}
	return false
}

// wasThere reports whether the model was moved to the same place before it was
// wrapped: then nothing moves any more.
func (f *File) wasThere(w wrap, call syntax.Node) bool {
	made, _ := f.Values(w.raw)
	for _, v := range made { // model = Net().to(device)
		if f.Kind(v) == syntax.Call && v != call && f.Last(f.First(v)) == f.Last(f.First(call)) && f.sameArguments(v, call) {
			return true
		}
	}
	for other := range f.CallsOf(f.Last(f.First(call))) {
		if other != call && f.sameArguments(other, call) && f.Start(other) < f.Start(w.assign)+f.End(w.call)-f.Start(w.call) {
			if o := f.Receiver(other); f.Same(o, w.raw) || f.Last(o) == f.Last(w.raw) || f.Holds(w.call, other) {
				return true
			}
		}
	}
	return false
}

// sameArguments reports whether two calls of methods are written alike behind
// their receivers.
func (f *File) sameArguments(a, b syntax.Node) bool {
	return f.Src(a)[len(f.Src(f.Receiver(a))):] == f.Src(b)[len(f.Src(f.Receiver(b))):]
}

// trainedBehind reports whether a backward or a call of the wrapper in a loop
// follows.
func (f *File) trainedBehind(w wrap, call syntax.Node) bool {
	def := f.Function(call)
	for back := range f.CallsOf("backward") {
		if f.Function(back) == def && f.leads(call, back, nil, nil) {
			return true
		}
	}
	for _, t := range f.takes(def, w.to) { // train(model, loader)
		if f.leads(call, t, nil, nil) && listed("train-function", f.Last(f.First(t))) {
			return true
		}
	}
	return false
}
