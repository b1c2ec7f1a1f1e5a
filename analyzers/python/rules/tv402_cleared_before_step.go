package rules

import (
	"bytes"
	"slices"

	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv402: gradients that are cleared between backward and step are not stepped
// on: the optimizer moves by its momentum and its weight decay alone.
func tv402() Rule {
	return Rule{
		Code:  "TV402",
		Needs: [][]string{{".step("}, {"zero_grad("}},
		Quick: clearsAndSteps, Searched: []string{"zero_grad("},
		Check: func(f *File, r *Report) {
			if f.Uses(Lightning | DeepSpeed | Fairseq | SpeechBrain | Engine) {
				return
			}
			all, steps := f.backwards(), f.stepCalls()
			for clear := range f.CallsOf("zero_grad") {
				for _, s := range steps {
					if f.Function(s.call) != f.Function(clear) || !f.Same(f.Receiver(clear), s.optimizer) || f.takenOnce(s.call, maxCallers) || f.emptyOnPurpose(clear, s, all, steps) {
						continue
					}
					if f.clearedBetween(r, clear, s, all, steps) || f.clearedRightBefore(r, clear, s) || f.clearedEachTurn(r, clear, s, all) {
						break
					}
				}
			}
		},
	}
}

// clearedBetween: backward, zero_grad, step.
func (f *File) clearedBetween(r *Report, clear syntax.Node, s stepCall, all []backward, steps []stepCall) bool {
	def, loop := f.Function(clear), f.Loop(clear)
	if !f.inOrder(clear, s, all, loop) || f.onlySometimes(clear, s.call) {
		return false
	}
	var backs, stepped []syntax.Node
	for _, b := range all {
		if f.Function(b.call) == def {
			backs = append(backs, b.call)
		}
	}
	for _, o := range steps {
		if f.Function(o.call) == def {
			stepped = append(stepped, o.call)
		}
	}
	past := append(append(backs, f.binds(def, s.optimizer)...), f.ownCalls(def, "backward")...)
	past = append(past, f.lossTaken(def)...)
	if !f.leads(clear, s.call, append(past, loop), nil) { // one turn: the next one may leave its backward out
		return false
	}
	for _, b := range backs {
		if f.Loop(b) == loop && f.leads(b, clear, append(append(append(f.clears(def), stepped...), f.binds(def, s.optimizer)...), loop), nil) {
			r.Add(Finding{
				At:      clear,
				Message: "the gradients of " + f.Src(s.optimizer) + " are cleared between the backward and the step: the step has nothing to follow",
				Related: []Related{{At: b, Message: "computed here"}, {At: s.call, Message: "stepped on here"}},
			})
			return true
		}
	}
	return false
}

// clearsAndSteps reports whether a file computes gradients, or clears them on one
// line and steps on the next.
func clearsAndSteps(g *Glance) bool {
	return g.Says("backward(") || g.Each("zero_grad(", func(at int) bool {
		return bytes.Contains(around(g.Text, at, 1), []byte(".step("))
	})
}

// clearedRightBefore: zero_grad, step, one behind the other in each turn of a
// loop. Wherever the backward is, its gradients are gone.
func (f *File) clearedRightBefore(r *Report, clear syntax.Node, s stepCall) bool {
	loop := f.Loop(clear)
	if loop == 0 || f.Next(f.Parent(clear)) != f.Parent(s.call) || f.Kind(f.Parent(clear)) != syntax.ExprStmt || f.Kind(f.Parent(s.call)) != syntax.ExprStmt {
		return false
	}
	if f.Receiver(s.call) == s.optimizer && (f.Arg(s.call, 0) != 0 || f.Unpacks(s.call) || f.Keyword(s.call, "closure") != 0) {
		return false // a closure computes them
	}
	for l := loop; l != 0; l = f.Loop(l) {
		for n := range f.Within(f.Child(l, syntax.RoleTarget)) {
			if f.Kind(n) == syntax.Name && f.Same(n, f.stemOf(s.optimizer)) {
				return false // each optimizer once, so that its state is there
			}
		}
	}
	r.Add(Finding{
		At:      clear,
		Message: "the gradients of " + f.Src(s.optimizer) + " are cleared right before the step: the step has nothing to follow",
		Related: []Related{{At: s.call, Message: "stepped on here"}},
	})
	return true
}

// stemOf is the first name of a chain: of a.b[0] the name a.
func (f *File) stemOf(n syntax.Node) syntax.Node {
	for f.Kind(n) == syntax.Attribute || f.Kind(n) == syntax.Subscript {
		n = f.First(n)
	}
	return n
}

// inOrder reports whether some backward stands before the clearing, and the step
// behind it: in one turn of a loop no path leads backwards. It costs nothing.
func (f *File) inOrder(clear syntax.Node, s stepCall, all []backward, loop syntax.Node) bool {
	if f.Start(s.call) < f.Start(clear) {
		return false
	}
	return slices.ContainsFunc(all, func(b backward) bool {
		return f.Function(b.call) == f.Function(clear) && f.Loop(b.call) == loop && f.Start(b.call) < f.Start(clear)
	})
}

// onlySometimes reports whether a clearing stands in an if that the step behind it
// does not: a batch that is left out on purpose.
func (f *File) onlySometimes(clear, step syntax.Node) bool {
	for n, p := clear, f.Parent(clear); p != 0 && !f.Holds(p, step); n, p = p, f.Parent(p) {
		if f.Kind(p) == syntax.If && (f.Role(n) == syntax.RoleBody || f.Role(n) == syntax.RoleOrElse) {
			return true
		}
	}
	return false
}

// emptyOnPurpose reports whether a clearing and the step behind it stand in an if
// that the backward does not, where others take the step in earnest: an update is
// thrown away, and the scaler is kept up.
func (f *File) emptyOnPurpose(clear syntax.Node, s stepCall, all []backward, steps []stepCall) bool {
	for p := f.Parent(clear); p != 0 && !f.Kind(p).IsFunction(); p = f.Parent(p) {
		if f.Kind(p) != syntax.If || !f.Holds(p, s.call) || slices.ContainsFunc(all, func(b backward) bool { return f.Holds(p, b.call) }) {
			continue
		}
		if slices.ContainsFunc(steps, func(o stepCall) bool {
			return f.Same(o.optimizer, s.optimizer) && f.Function(o.call) == f.Function(s.call) && !f.Holds(p, o.call)
		}) {
			return true
		}
	}
	return false
}

// lossTaken are calls of a function that may run a backward of their own.
func (f *File) lossTaken(def syntax.Node) []syntax.Node {
	var out []syntax.Node
	for _, name := range []string{"manual_backward", "accumulate_backward", "scale_loss", "do_backward", "_backward", "backward_step", "grad"} {
		out = append(out, f.calls(def, name)...)
	}
	return out
}

// clearedEachTurn: zero_grad in each turn of a loop whose step comes every few
// turns only.
func (f *File) clearedEachTurn(r *Report, clear syntax.Node, s stepCall, all []backward) bool {
	loop := f.Loop(clear)
	if loop == 0 || f.Loop(s.call) != loop || f.Uses(Accelerate|Fabric) || f.modulo(s.call, loop) == 0 || f.conditional(clear, loop) {
		return false
	}
	for _, b := range all {
		if f.conditional(b.call, loop) && f.leads(b.call, s.call, []syntax.Node{loop}, nil) && f.modulo(b.call, loop) == f.modulo(s.call, loop) {
			return false // taken as seldom as the step
		}
	}
	for _, b := range all {
		if f.Loop(b.call) == loop && f.Function(b.call) == f.Function(clear) && (!f.conditional(b.call, loop) || f.inEitherArm(b, all)) && f.leads(clear, b.call, []syntax.Node{loop}, nil) {
			r.Add(Finding{
				At:      clear,
				Message: "the gradients are cleared in each turn, and " + f.Src(s.optimizer) + " steps every few turns only: all but the last batch before a step are thrown away",
				Related: []Related{{At: b.call, Message: "computed here"}, {At: s.call, Message: "stepped on here"}},
			})
			return true
		}
	}
	return false
}

// inEitherArm reports whether the innermost if around a backward has one in its
// other arm too: with a scaler, and without.
func (f *File) inEitherArm(b backward, all []backward) bool {
	return slices.ContainsFunc(all, func(o backward) bool {
		return flow.Exclusive(f.Tree, b.call, o.call) && f.Parent(f.statement(b.call)) == f.Parent(f.statement(o.call))
	})
}

// maxCallers bounds how far callers are followed upwards.
const maxCallers = 4

// takenOnce reports whether a step is seen to be taken outside of any loop, in
// functions that are called outside of any: it warms something up, and trains
// nothing.
func (f *File) takenOnce(n syntax.Node, left int) bool {
	if f.Loop(n) != 0 || left == 0 {
		return false
	}
	fn := f.Function(n)
	if fn == f.Root() {
		return true
	}
	callers := f.Calls.Callers(fn)
	for _, c := range callers {
		if f.Kind(c) != syntax.Call || !f.takenOnce(c, left-1) {
			return false
		}
	}
	return len(callers) > 0 || f.loopsOver(fn, left < maxCallers)
}

// loopsOver reports whether a function has a loop that trains; any: or another
// one.
func (f *File) loopsOver(fn syntax.Node, any bool) bool {
	for c := range f.Within(fn) {
		switch f.Kind(c) {
		case syntax.For, syntax.AsyncFor, syntax.While:
			if any || f.callsAny(c, "backward") {
				return true
			}
		}
	}
	return false
}

// conditional reports whether a node stands on a branch within a loop.
func (f *File) conditional(n, loop syntax.Node) bool {
	for p := f.Parent(n); p != 0 && p != loop; n, p = p, f.Parent(p) {
		switch f.Kind(p) {
		case syntax.If:
			if r := f.Role(n); r == syntax.RoleBody || r == syntax.RoleOrElse {
				return true
			}
		case syntax.ExceptHandler, syntax.MatchCase:
			return true
		}
	}
	return false
}
