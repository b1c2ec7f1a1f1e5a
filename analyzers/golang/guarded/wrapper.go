package guarded

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

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

// moves reports to whom the finding of a decode moves: to the callers of the
// function around it, when its ids are that function's parameter and each of
// its calls is in sight.
func (w *work) moves(s *sites.Site, src checks.Sources) *types.Func {
	fn := w.declared(s)
	body := w.around(s)
	if fn == nil || body == nil {
		return nil
	}
	var param *ssa.Parameter
	path := ""
	for _, end := range src.Ends {
		if _, ok := end.Value.(*ssa.Const); ok {
			continue
		}
		p, ok := end.Value.(*ssa.Parameter)
		if !ok || param != nil && (p != param || path != end.Path) {
			return nil
		}
		param, path = p, end.Path
	}
	if param == nil || len(src.Narrows) > 0 {
		return nil
	}
	at := slices.Index(body.Params, param)
	if fn.Signature().Recv() != nil {
		at--
	}
	if at < 0 {
		return nil
	}
	if ids, ok := w.sites.DecodeIDs(fn); ok {
		if ids != at || path != "" {
			return nil
		}
		return fn // its calls are sites by themselves
	}
	if !w.callsInSight(fn) {
		return nil
	}
	w.wrap(fn, Pass{at, path, sites.Callee(s.Call)})
	return fn
}

// callsInSight reports whether every call of a function can be found: not so
// for what this package never calls and nobody else can, and for a method that
// an interface of this package may call.
func (w *work) callsInSight(fn *types.Func) bool {
	if fn.Name() == "main" || fn.Name() == "init" {
		return false
	}
	if !fn.Exported() && len(w.usesOf(fn)) == 0 {
		return false
	}
	if fn.Signature().Recv() == nil {
		return true
	}
	for _, f := range w.pass.Files {
		hidden := false
		ast.Inspect(f, func(n ast.Node) bool {
			if t, ok := n.(*ast.InterfaceType); ok {
				for _, m := range t.Methods.List {
					for _, name := range m.Names {
						hidden = hidden || name.Name == fn.Name()
					}
				}
			}
			return !hidden
		})
		if hidden {
			return false
		}
	}
	return true
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
			By: "passes its argument to " + p.To, Shape: sites.Shape(w.pass, u.node),
		}
		w.paths[s] = p.Path
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

// callOf finds the instruction of a site that is a call.
func (w *work) callOf(s *sites.Site) ssa.CallInstruction {
	call, ok := s.Call.(*ast.CallExpr)
	if !ok {
		return nil
	}
	return w.prog.Call(call)
}

// describePath is for people: ".2" says nothing to them.
func describePath(path string) string { return strings.Repeat(".field", strings.Count(path, ".")) }
