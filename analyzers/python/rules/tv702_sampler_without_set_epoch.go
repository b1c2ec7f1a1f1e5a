package rules

import (
	"bytes"
	"iter"
	"slices"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv702: a DistributedSampler shuffles by its seed and its epoch. Where nobody
// tells it the epoch, every epoch has the order, and the split, of the first.
func tv702() Rule {
	return Rule{
		Code:  "TV702",
		Needs: [][]string{{"DistributedSampler"}},
		Facts: []string{"set_epoch", "for epoch in", "pytorch_lightning", "lightning.pytorch"},
		Check: func(f *File, r *Report) {
			if f.callsAny(f.Root(), "set_epoch") || f.Uses(Accelerate|Lightning|Fabric|Transformers|Fairseq|SpeechBrain|Engine) {
				return
			}
			for call := range f.CallsOf("DistributedSampler") {
				if f.Is(call, distributedSampler...) && f.shuffles(call) {
					f.frozenOrder(r, call)
				}
			}
			for call := range f.callsOfChosen() {
				if f.shuffles(call) {
					f.frozenOrder(r, call)
				}
			}
		},
	}
}

// distributedSampler are the names of torch's own.
var distributedSampler = []string{"torch.utils.data.distributed.DistributedSampler", "torch.utils.data.DistributedSampler", ".data.distributed.DistributedSampler"}

// callsOfChosen are the calls of a name that stands for the sampler or for
// another one: RandomSampler if alone else DistributedSampler.
func (f *File) callsOfChosen() iter.Seq[syntax.Node] {
	return func(yield func(syntax.Node) bool) {
		for choice := range f.All(syntax.IfExp) {
			s := f.Parent(choice)
			if f.Kind(s) != syntax.Assign || !f.picks(choice) {
				continue
			}
			target := f.Child(s, syntax.RoleTarget)
			for call := range f.CallsOf(f.Last(target)) {
				if list, sure := f.Values(f.First(call)); sure && len(list) == 1 && list[0] == choice && !yield(call) {
					return
				}
			}
		}
	}
}

// picks reports whether an arm of a conditional expression is the sampler's
// class.
func (f *File) picks(choice syntax.Node) bool {
	for c := range f.Children(choice) {
		if k := f.Kind(c); (k == syntax.Name || k == syntax.Attribute) && slices.Contains(distributedSampler, f.Path(c)) {
			return true
		}
	}
	return false
}

// shuffles reports whether a sampler shuffles what is trained on.
func (f *File) shuffles(call syntax.Node) bool {
	shuffle := f.ArgOr(call, 3, "shuffle")
	if f.Unpacks(call) || shuffle != 0 && !f.IsTrue(shuffle) {
		return false
	}
	if evaluates(f.assigned(call)) || evaluates(f.Src(f.ArgOr(call, 0, "dataset"))) {
		return false
	}
	def := f.Function(call)
	return f.Kind(def) != syntax.Module && !evaluates(string(f.Name(def))) || f.Kind(def) == syntax.Module
}

func (f *File) frozenOrder(r *Report, call syntax.Node) {
	out := Finding{
		At:      call,
		Message: "nothing calls set_epoch on this sampler: each epoch goes over the data in the order of the first, and every rank gets the same part of it again",
	}
	own := f.samplerLoop(call)
	if own == 0 {
		// The loop may stand in another file, where set_epoch would be.
		if f.trains() {
			return
		}
		out.Unless = []string{"set_epoch", "pytorch_lightning", "lightning.pytorch"}
		out.If = []string{"for epoch in"}
		r.Add(out)
		return
	}
	if f.elsewhereSets(own) {
		return
	}
	out.Related = []Related{{At: own, Message: "the loop over epochs"}}
	if fix, ok := f.setEpoch(call, own); ok {
		out.Fixes = []Fix{fix}
	}
	r.Add(out)
}

// samplerLoop is the loop over epochs of this file that trains: of the same
// function, else any; 0: none.
func (f *File) samplerLoop(call syntax.Node) syntax.Node {
	other := syntax.Node(0)
	for loop := range f.epochLoops() {
		if !f.trainsBelow(loop) {
			continue
		}
		if f.Function(loop) == f.Function(call) {
			return loop
		}
		if other == 0 {
			other = loop
		}
	}
	return other
}

// trainsBelow reports whether a loop computes gradients, itself or by a function
// that it calls.
func (f *File) trainsBelow(loop syntax.Node) bool {
	if f.callsAny(loop, "backward", "step") {
		return true
	}
	for n := range f.Within(loop) {
		if f.Kind(n) != syntax.Call {
			continue
		}
		if def, _ := f.Calls.Callee(n); def != 0 && f.callsAny(def, "backward", "step") {
			return true
		}
		if def, _ := f.Calls.Callee(n); def == 0 && says(f.Last(f.First(n)), []string{"train"}) {
			return true
		}
	}
	return false
}

// elsewhereSets reports whether the loop calls something of another file that
// speaks of set_epoch.
func (f *File) elsewhereSets(loop syntax.Node) bool {
	if f.Across == nil {
		return false
	}
	for n := range f.Within(loop) {
		if f.Kind(n) != syntax.Call {
			continue
		}
		if fn := f.Across.Callee(f.View, n); fn.Def != 0 && bytes.Contains(fn.File.Syntax.Text(), []byte("set_epoch")) {
			return true
		}
	}
	return false
}

// setEpoch is the fix where the sampler has a name that the loop sees.
func (f *File) setEpoch(call, loop syntax.Node) (Fix, bool) {
	stmt := f.Parent(call)
	target, first := f.Child(loop, syntax.RoleTarget), f.Child(loop, syntax.RoleBody)
	if f.Kind(stmt) != syntax.Assign || f.Kind(target) != syntax.Name || f.Function(call) != f.Function(loop) {
		return Fix{}, false
	}
	name := f.Child(stmt, syntax.RoleTarget)
	if f.Kind(name) != syntax.Name || f.Kind(f.Parent(stmt)) == syntax.If || f.Line(first) == f.Line(loop) {
		return Fix{}, false
	}
	return Fix{Message: "tell the sampler the epoch", Safe: true, Edits: []Edit{f.Before(first, f.Src(name)+".set_epoch("+f.Src(target)+")")}}, true
}

// Line is the line that a node begins on.
func (f *File) Line(n syntax.Node) int { return f.Pos(n).Line }
