package rules

import (
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// modeFlow follows whether a model trains or evaluates: through the paths of a
// function and the functions that it calls, in this file and others.
//
// A model is known by how it is written: model, self.model, and models[] for
// each of several. In a function that it is handed to it has the name of the
// parameter. What is not resolved has no effect, but for what is called a
// training function: that one is taken to switch training on.
type modeFlow struct {
	f       *File
	units   map[unitKey]*modeUnit
	callees map[callKey]calls.Func
}

// callKey is a call in a file.
type callKey struct {
	in   *calls.File
	call syntax.Node
}

type unitKey struct {
	file string
	def  syntax.Node
}

// modeUnit is what is kept of one function.
type modeUnit struct {
	fn    calls.Func
	tree  *syntax.Tree
	graph *flow.Graph
	calls []syntax.Node // those of this function, in the order of the source
	keys  []string      // models whose mode it sets, by its own names
	known map[string]*modeSummary
	open  bool // keys are being made
	made  bool
	train modeAnswer // it computes gradients
	off   modeAnswer // it switches to evaluation mode
}

// modeSummary is what a call of a function does to one model.
type modeSummary struct {
	trainsFirst syntax.Node // a backward that is reached with the mode of the caller; 0: none
	trainsIn    *calls.File // where it stands
	switchesOn  bool        // it ends in training mode on every path, or in one that it chose
	everOn      bool        // it switches training on somewhere
	whole       bool        // for the model itself, not for one that holds it
	leavesEval  syntax.Node // an eval() with which it may end; 0: none
	onUnder     []string    // tests of its object under which it switches training on
	in          *calls.File // where that stands
}

// modeEvent is something that happens to one model at a vertex.
type modeEvent struct {
	what  modeChange
	node  syntax.Node // in the function that is looked at
	inner syntax.Node // what it comes down to, in file
	file  *calls.File
	guess bool // by the name of a function alone
	whole bool // of the model itself, not of one that holds it
}

type modeChange uint8

const (
	modeOn      modeChange = iota // training mode
	modeOff                       // evaluation mode
	modeTrained                   // backward
	modeJudged                    // run in an evaluation
	modeOther                     // the name stands for something else from here, or nothing comes behind
)

// modeDepth bounds the functions that are followed into one another.
const modeDepth = 5

func newModeFlow(f *File) *modeFlow {
	return &modeFlow{f: f, units: map[unitKey]*modeUnit{}, callees: map[callKey]calls.Func{}}
}

// callee is the function that a call calls, wherever it stands. It is asked for
// again with each model of a function.
func (m *modeFlow) callee(in *calls.File, call syntax.Node) calls.Func {
	key := callKey{in, call}
	fn, ok := m.callees[key]
	if !ok {
		fn = m.resolve(in, call)
		m.callees[key] = fn
	}
	return fn
}

func (m *modeFlow) resolve(in *calls.File, call syntax.Node) calls.Func {
	if in == m.f.View {
		if def, method := m.f.Calls.Callee(call); def != 0 {
			return calls.Func{File: in, Def: def, Method: method}
		}
	}
	if m.f.Across == nil || !m.f.maySetMode(in.Syntax.Name(in.Syntax.First(call))) {
		return calls.Func{}
	}
	return m.f.Across.Callee(in, call)
}

// modeWords are parts of the names of functions that are followed into other
// files: those that train or evaluate. To resolve every call costs more than all
// other rules together.
var modeWords = [...]string{"eval", "valid", "test", "infer", "sampl", "generat", "predict", "train", "epoch", "fit", "run", "loop", "score", "metric", "step"}

func maySetMode(name string) bool {
	name = strings.ToLower(name)
	name = strings.ReplaceAll(name, "pretrained", "") // it makes a model
	return slices.ContainsFunc(modeWords[:], func(w string) bool { return strings.Contains(name, w) })
}

// maxModeNames bounds the memory that hostile files can ask for.
const maxModeNames = 1 << 16

// maySetMode is what is known of a name: the same few are called in every file.
func (f *File) maySetMode(name []byte) bool {
	may, ok := f.modeNames[string(name)]
	if !ok {
		if f.modeNames == nil || len(f.modeNames) > maxModeNames {
			f.modeNames = map[string]bool{}
		}
		may = maySetMode(string(name))
		f.modeNames[string(name)] = may
	}
	return may
}

// unit makes what is kept of a function.
func (m *modeFlow) unit(fn calls.Func) *modeUnit {
	key := unitKey{fn.File.Name, fn.Def}
	u := m.units[key]
	if u == nil {
		u = &modeUnit{fn: fn, tree: fn.File.Syntax, known: map[string]*modeSummary{}}
		u.tree.Walk(fn.Def, func(n syntax.Node) syntax.Walk {
			k := u.tree.Kind(n)
			if n != fn.Def && (k.IsFunction() || k == syntax.ClassDef || k == syntax.Lambda) || isHead(u.tree, fn.Def, n) {
				return syntax.Over
			}
			if k == syntax.Call {
				u.calls = append(u.calls, n)
			}
			return syntax.Into
		})
		m.units[key] = u
	}
	return u
}

// isHead reports whether a node is evaluated when a function is defined.
func isHead(t *syntax.Tree, def, n syntax.Node) bool {
	if t.Parent(n) != def || !t.Kind(def).IsFunction() {
		return false
	}
	return t.Role(n) != syntax.RoleBody
}

func (u *modeUnit) flow() *flow.Graph {
	if u.graph == nil {
		var b flow.Builder
		u.graph = b.Build(u.tree, u.fn.Def, nil)
	}
	return u.graph
}

// modelKeys are how a model is written, without what wraps it: of
// self.model.module and unwrap_model(self.model) it is self.model. loop is the
// loop over several models that a name comes from; over a list of them there
// are several.
func modelKeys(t *syntax.Tree, n syntax.Node) (keys []string, loop syntax.Node) {
	for {
		switch t.Kind(n) {
		case syntax.Attribute:
			if name := string(t.Name(n)); name != "module" && name != "_orig_mod" {
				return some(chainOf(t, n)), 0
			}
			n = t.First(n)
		case syntax.Call:
			if isSuperCall(t, n) {
				return []string{"self"}, 0
			}
			if n = wrappedModel(t, n); n == 0 {
				return nil, 0
			}
		case syntax.Subscript:
			keys, _ = modelKeys(t, t.First(n))
			for i := range keys {
				keys[i] += "[]"
			}
			return keys, loopOver(t, t.Child(n, syntax.RoleSlice))
		case syntax.Name:
			if loop = loopOver(t, n); loop != 0 {
				return loopedModels(t, loop), loop
			}
			return some(string(t.Name(n))), 0
		default:
			return nil, 0
		}
	}
}

func some(key string) []string {
	if key == "" {
		return nil
	}
	return []string{key}
}

// wrappedModel is the model in model.to(device) and unwrap_model(model); 0: a
// call that gives something else.
func wrappedModel(t *syntax.Tree, call syntax.Node) syntax.Node {
	fun := t.First(call)
	switch name := string(t.Name(fun)); name {
	case "to", "cuda", "cpu", "half", "float", "bfloat16", "double", "requires_grad_", "eval", "train":
		if t.Kind(fun) == syntax.Attribute {
			return t.First(fun)
		}
	default:
		if strings.HasPrefix(strings.TrimLeft(name, "_"), "unwrap") {
			return t.Child(call, syntax.RoleArg)
		}
	}
	return 0
}

// loopOver is the for around a node whose target is that name; 0: none.
func loopOver(t *syntax.Tree, n syntax.Node) syntax.Node {
	if n == 0 || t.Kind(n) != syntax.Name {
		return 0
	}
	for p := range t.Ancestors(n) {
		switch k := t.Kind(p); {
		case k == syntax.For, k == syntax.ListComp:
			target := t.Child(p, syntax.RoleTarget)
			if k == syntax.ListComp {
				target = t.Child(t.Child(p, syntax.RoleIterate), syntax.RoleTarget)
			}
			for c := range t.Preorder(target) {
				if t.Kind(c) == syntax.Name && string(t.Name(c)) == string(t.Name(n)) {
					return p
				}
			}
		case k.IsFunction():
			return 0
		}
	}
	return 0
}

// loopedModels are the models that a loop goes over: those of a list, or one
// that stands for all of what is written as a chain of names.
func loopedModels(t *syntax.Tree, loop syntax.Node) []string {
	iter := t.Child(loop, syntax.RoleIter)
	if t.Kind(loop) == syntax.ListComp {
		iter = t.Child(t.Child(loop, syntax.RoleIterate), syntax.RoleIter)
	}
	if k := t.Kind(iter); k == syntax.List || k == syntax.Tuple {
		var out []string
		for e := range t.ChildrenOf(iter, syntax.RoleElement) {
			out = append(out, some(chainOf(t, e))...)
		}
		return out
	}
	if t.Kind(iter) == syntax.Call && t.Kind(t.First(iter)) == syntax.Attribute {
		iter = t.First(t.First(iter)) // models.values()
	}
	if over := chainOf(t, iter); over != "" {
		return []string{over + "[]"}
	}
	return nil
}

// covers reports whether what happens to one model happens to another: to
// itself and to what it holds.
func covers(outer, inner string) bool {
	return outer == inner || strings.HasPrefix(inner, outer+".")
}
