package rules

import (
	"bytes"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// evalLoop is a loop that judges a model: over data that is called so, or in a
// function that is.
type evalLoop struct {
	loop syntax.Node
	over syntax.Node // what it goes over, without enumerate and progress bars
	def  syntax.Node // the function around it; the module if there is none
}

// evalLoops are the loops over batches in which a model is evaluated and not
// trained.
func (f *File) evalLoops(yield func(evalLoop) bool) {
	for loop := range f.All(syntax.For) {
		over := f.loopSource(loop)
		def := f.Function(loop)
		name := ""
		if f.Kind(def).IsFunction() {
			name = string(f.Name(def))
		}
		last := f.Last(over)
		if strings.HasSuffix(last, "loaders") || strings.HasSuffix(last, "datasets") {
			continue // one after the other, each with a loop of its own
		}
		isEval := ofEvaluation(last) || named("eval-function", name) && !strings.Contains(strings.ToLower(name), "train") && named("loader-name", last)
		if !isEval || !named("loader-name", last) && !ofEvaluation(last) || f.trainsIn(loop) {
			continue
		}
		if !yield(evalLoop{loop, over, def}) {
			return
		}
	}
}

// loopSource is what a loop goes over, out of enumerate(), tqdm() and the like.
func (f *File) loopSource(loop syntax.Node) syntax.Node {
	n := f.Child(loop, syntax.RoleIter)
	for f.Kind(n) == syntax.Call {
		inner := f.Arg(n, 0)
		switch name := f.Last(f.First(n)); {
		case inner == 0:
			return n
		case name == "enumerate", name == "iter", name == "zip", name == "islice", strings.Contains(strings.ToLower(name), "tqdm"), strings.Contains(strings.ToLower(name), "progress"), name == "track", name == "log_every":
			n = inner
		default:
			return n
		}
	}
	return n
}

// trainsIn reports whether gradients are computed or a step is taken below a
// node.
func (f *File) trainsIn(n syntax.Node) bool {
	for _, name := range []string{"backward", "zero_grad", "manual_backward", "train_step", "training_step"} {
		for call := range f.CallsOf(name) {
			if f.Holds(n, call) {
				return true
			}
		}
	}
	for call := range f.CallsOf("step") {
		if o := f.Last(f.Receiver(call)); f.Holds(n, call) && strings.Contains(strings.ToLower(o), "opt") {
			return true
		}
	}
	return false
}

// modelCall is a call of a model below a node; 0: none.
func (f *File) modelCall(n syntax.Node) syntax.Node {
	for c := range f.Within(n) {
		if f.Kind(c) != syntax.Call {
			continue
		}
		fun := f.First(c)
		name := string(f.Name(fun))
		if !named("model-name", name) || named("model-not", name) {
			continue
		}
		if k := f.Kind(fun); k != syntax.Name && (k != syntax.Attribute || !f.Names.IsSelf(f.First(fun))) {
			continue
		}
		if def, _ := f.Calls.Callee(c); def == 0 {
			return c
		}
	}
	return 0
}

// says reports whether a text stands in the source of a node.
func (f *File) says(n syntax.Node, texts ...string) bool {
	src := f.Source(n)
	for _, t := range texts {
		if bytes.Contains(src, []byte(t)) {
			return true
		}
	}
	return false
}

// isMetric reports whether a name speaks of a number that judges a model.
func isMetric(name string) bool { return named("metric-name", name) }
