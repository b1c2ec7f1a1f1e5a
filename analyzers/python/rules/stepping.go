package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// stepCall is a call that makes an optimizer step, itself or through a scaler.
type stepCall struct{ call, optimizer syntax.Node }

// stepCalls are those of a file, in the order of the source.
func (f *File) stepCalls() []stepCall {
	var out []stepCall
	for call := range f.CallsOf("step") {
		o := f.Receiver(call)
		switch {
		case o == 0:
		case f.isScaler(o):
			if a := f.Arg(call, 0); a != 0 {
				out = append(out, stepCall{call, a})
			}
		case f.isOptimizer(o):
			out = append(out, stepCall{call, o})
		}
	}
	return out
}

// isClear reports whether a call clears gradients, whatever it is called:
// zero_grad, zero_grads, clear_grad, reset_gradients, p.grad.zero_.
func (f *File) isClear(call syntax.Node) bool {
	name := strings.ToLower(f.Last(f.First(call)))
	if name == "zero_" {
		return strings.Contains(f.Src(f.Receiver(call)), "grad")
	}
	if !strings.Contains(name, "grad") {
		return false
	}
	for _, verb := range []string{"zero", "clear", "reset", "clean"} {
		if strings.Contains(name, verb) {
			return true
		}
	}
	return false
}

// clearsWithin reports whether gradients are cleared in a part of the tree, in
// functions of its own, or in functions of this file that it calls; but for the
// clears that another function leaves out.
func (f *File) clearsWithin(n syntax.Node, hops int, but func(clear syntax.Node) bool) bool {
	found := false
	f.Walk(n, func(c syntax.Node) syntax.Walk {
		switch f.Kind(c) {
		case syntax.Call:
			found = found || f.isClear(c) && (but == nil || !but(c))
			if def := f.calleeOf(c); !found && hops > 0 && def != 0 && !f.Holds(def, c) && (but == nil || !but(c)) {
				found = f.clearsWithin(def, hops-1, nil)
			}
		case syntax.Attribute: // p.grad = None, del p.grad
			found = found || string(f.Name(c)) == "grad" && f.Context(c) != syntax.Load
		}
		if found {
			return syntax.Stop
		}
		return syntax.Into
	})
	return found
}

// isKeptBy reports whether a call that is handed an optimizer leaves its
// gradients alone: a scaler, a scheduler that is made, a checkpoint.
func (f *File) isKeptBy(call syntax.Node) bool {
	name := f.Last(f.First(call))
	return f.isScaler(f.Receiver(call)) || listed("scheduler-class", name) || listed("optimizer-handed", name)
}

// handsOn reports whether a part of the tree hands an object to a function that
// may do anything with it.
func (f *File) handsOn(within, object syntax.Node) bool {
	for _, call := range f.takes(f.Function(object), object) {
		if f.Holds(within, call) && !f.isKeptBy(call) && f.calleeOf(call) == 0 {
			return true
		}
	}
	return false
}

// modulo is the test around a node, within a loop, that lets it happen every
// few turns only: (i + 1) % n == 0. 0: there is none.
func (f *File) modulo(n, loop syntax.Node) syntax.Node {
	for p := f.Parent(n); p != 0 && p != loop; n, p = p, f.Parent(p) {
		if f.Kind(p) != syntax.If || f.Role(n) != syntax.RoleBody {
			continue
		}
		if m := f.moduloIn(f.Child(p, syntax.RoleTest)); m != 0 {
			return m
		}
	}
	return 0
}

// moduloIn is the part a % n of a test, through the names that stand for it.
func (f *File) moduloIn(test syntax.Node) syntax.Node {
	found := syntax.Node(0)
	f.Walk(test, func(c syntax.Node) syntax.Walk {
		switch {
		case f.Kind(c) == syntax.BinOp && f.Op(c) == syntax.Mod:
			found = c
		case f.Kind(c) == syntax.Name:
			if list, sure := f.Values(c); sure && len(list) == 1 && f.Kind(list[0]) != syntax.Name {
				if k := f.Kind(list[0]); k == syntax.Compare || k == syntax.BoolOp {
					found = f.moduloIn(list[0])
				}
			}
		}
		if found != 0 {
			return syntax.Stop
		}
		return syntax.Into
	})
	return found
}

// commonLoop is the innermost loop of a function around two nodes; 0: none.
func (f *File) commonLoop(a, b syntax.Node) syntax.Node {
	for l := f.Loop(a); l != 0; l = f.Loop(l) {
		if f.Holds(l, b) {
			return l
		}
	}
	return 0
}
