package guarded

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/trainvet/trainvet/analyzers/golang/checks"
	"github.com/trainvet/trainvet/analyzers/golang/sites"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Passes is the fact that a function passes ids on to a decode unchecked: its
// calls are the sites.
type Passes struct{ List []Pass }

// Pass is one way by which ids go through a function.
type Pass struct {
	Param int    // index of the argument, the receiver not counted
	Path  string // fields of it that hold the ids, as in ".2"
	To    string // the decode that it ends in
}

// AFact marks it as one.
func (*Passes) AFact() {}

func (p *Passes) String() string { return fmt.Sprintf("passes %v", p.List) }

// passedOn looks at who is to answer for a decode whose ids are the parameter of
// the function around it. A function that is a decode itself, by its name or
// directive: each of its calls, which are sites. An exported one: each of its
// calls likewise, here and in other packages, by a fact. Any other: the site
// stays where it is, and is guarded when every caller checks.
func (w *work) passedOn(s *sites.Site, src checks.Sources, open State) (State, *types.Func) {
	fn, pass, ok := w.parameter(s, src)
	if !ok {
		return open, nil
	}
	if ids, decodes := w.sites.DecodeIDs(fn); decodes {
		if ids != pass.Param || pass.Path != "" {
			return open, nil
		}
		return open, fn
	}
	switch {
	case w.hidden(fn):
		return open, nil
	case fn.Exported():
		w.wrap(fn, pass)
		return open, fn
	}
	return w.byCallers(fn, pass, open)
}

// parameter returns the declared function whose parameter, or a field of it, is
// all that a decode decodes.
func (w *work) parameter(s *sites.Site, src checks.Sources) (*types.Func, Pass, bool) {
	if len(src.Narrows) > 0 {
		return nil, Pass{}, false
	}
	var param *ssa.Parameter
	path := ""
	for _, end := range src.Ends {
		if _, ok := end.Value.(*ssa.Const); ok {
			continue
		}
		p, ok := end.Value.(*ssa.Parameter)
		if !ok || param != nil && (p != param || path != end.Path) {
			return nil, Pass{}, false
		}
		param, path = p, end.Path
	}
	if param == nil {
		return nil, Pass{}, false
	}
	fn, ok := param.Parent().Object().(*types.Func) // nil: of a closure
	if !ok || param.Parent().Synthetic != "" {
		return nil, Pass{}, false
	}
	at := slices.Index(param.Parent().Params, param)
	if fn.Signature().Recv() != nil {
		at--
	}
	return fn.Origin(), Pass{at, path, sites.Callee(s.Call)}, at >= 0
}

// byCallers lets the callers of an unexported function answer for it.
func (w *work) byCallers(fn *types.Func, pass Pass, open State) (State, *types.Func) {
	callers := w.usesOf(fn)
	if len(callers) == 0 || w.asking[fn] {
		return open, nil
	}
	w.asking[fn] = true
	defer delete(w.asking, fn)
	var moved *types.Func
	out := open
	for _, u := range callers {
		call := &sites.Site{Kind: site.Decode, Call: u.node, Callee: fn, IDs: pass.Param, Escapes: u.escapes, Enclosing: u.enclosing}
		w.paths[call] = pass.Path
		st, to := w.judge(call)
		switch {
		case to != nil:
			moved = to
		case st.State != site.Guarded:
			open.Origin = st.Origin
			open.Why += "; its ids are the argument of " + fn.Name() + ", and not every call of that checks them"
			open.Guard = &site.Related{At: w.unit.Position(u.node.Pos()), Message: "called here with ids that nothing checked"}
			return open, nil
		case out.Guard == nil:
			out = st // a caller that checks says more than one whose ids are the host's
		}
	}
	if moved != nil {
		return open, moved
	}
	out.Why = "every call of " + fn.Name() + " passes ids that are fine: " + out.Why
	return out, nil
}

// hidden reports whether a function may be called out of sight: as a method
// through an interface of this package, or from nowhere that is known.
func (w *work) hidden(fn *types.Func) bool {
	if fn.Name() == "main" || fn.Name() == "init" || fn.Signature().Recv() == nil {
		return fn.Name() == "main" || fn.Name() == "init"
	}
	if w.methods == nil {
		w.methods = map[string]bool{}
		for _, f := range w.pass.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				if t, ok := n.(*ast.InterfaceType); ok {
					for _, m := range t.Methods.List {
						for _, name := range m.Names {
							w.methods[name.Name] = true
						}
					}
				}
				return true
			})
		}
	}
	return w.methods[fn.Name()]
}

// wrap makes the calls of a function sites.
func (w *work) wrap(fn *types.Func, p Pass) {
	if slices.ContainsFunc(w.wrappers[fn], func(q Pass) bool { return q.Param == p.Param && q.Path == p.Path }) {
		return
	}
	w.wrappers[fn] = append(w.wrappers[fn], p)
	w.call(fn, p)
}

// call queues the calls of a wrapper.
func (w *work) call(fn *types.Func, p Pass) {
	for _, u := range w.usesOf(fn) {
		s := &sites.Site{
			Kind: site.Decode, Call: u.node, Callee: fn, IDs: p.Param, Escapes: u.escapes, Enclosing: u.enclosing,
			By: "passes its argument to " + p.To, Shape: sites.Shape(u.node),
		}
		w.paths[s] = p.Path
		w.result.Through[s] = fn.FullName()
		w.queue = append(w.queue, s)
	}
}

// imported queues the calls of the wrappers of other packages.
func (w *work) imported() {
	for _, f := range w.pass.AllObjectFacts() {
		fact, ok := f.Fact.(*Passes)
		fn, isFunc := f.Object.(*types.Func)
		if !ok || !isFunc || fn.Pkg() == w.pass.Pkg {
			continue
		}
		w.wrappers[fn] = fact.List
		for _, p := range fact.List {
			w.call(fn, p)
		}
	}
}

// use is a place where a function is called or named.
type use struct {
	node      ast.Node // the call, or the expression that names it
	enclosing ast.Node
	escapes   bool
}

// usesOf lists the uses of a function in this package. The index is made at
// the first question.
func (w *work) usesOf(fn *types.Func) []use {
	if w.uses == nil {
		w.uses = map[*types.Func][]use{}
		sites.Uses(w.pass, func(fn *types.Func, node, enclosing ast.Node, escapes bool) {
			w.uses[fn] = append(w.uses[fn], use{node, enclosing, escapes})
		})
	}
	return w.uses[fn.Origin()]
}
