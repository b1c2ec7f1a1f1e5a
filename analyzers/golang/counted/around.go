package counted

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/golang/sites"
)

// Gives is the fact that a function returns the error of a step.
type Gives struct{ Step string }

// AFact marks it as one.
func (*Gives) AFact() {}

func (g *Gives) String() string { return "gives the error of " + g.Step }

// around looks at what stands around a step and can fail as it does: a
// backward pass, clearing and clipping gradients. They are no sites, but an
// error that is dropped there makes the next step a wrong one.
func (w *work) around() {
	table := catalog.Golang()
	if !table.Lists(w.pass.Pkg) && !slices.ContainsFunc(w.pass.Pkg.Imports(), table.Lists) {
		return // nearly every package
	}
	sites.Uses(w.pass, func(fn *types.Func, node, _ ast.Node, escapes bool) {
		e := table.Find(fn)
		if e == nil || e.Fails.How != "error" || escapes {
			return
		}
		switch e.Kind {
		case catalog.Backward, catalog.ZeroGrad, catalog.Clip:
			w.check(node.(*ast.CallExpr), "", e.Kind)
		}
	})
}

// check notes a call whose error is lost where it is made.
func (w *work) check(call *ast.CallExpr, from string, kind catalog.Kind) {
	in := w.prog.Call(call)
	if in == nil {
		return
	}
	l := Loss{Pos: call.Pos(), End: call.End(), Step: sites.Callee(call), From: from, Kind: kind, What: "the error is dropped", Call: call}
	ssaCall, ok := in.(*ssa.Call)
	if !ok {
		l.What, l.Call = "started by go or defer, its error goes nowhere", nil
		w.lose(l)
		return
	}
	for i, p := range w.up.FromCall(ssaCall) {
		if p.Silent && i == 0 {
			if p.Pos != ssaCall.Pos() {
				l.Pos, l.End, l.Call = p.Pos, 0, nil
			}
			l.What = p.What
			w.lose(l)
		}
		if p.Out != nil && from != "" {
			w.gives[p.Out] = from
		}
	}
}

// imported looks at the calls of functions of other packages that return a
// step's error.
func (w *work) imported() {
	givers := map[*types.Func]string{}
	for _, f := range w.pass.AllObjectFacts() {
		if g, ok := f.Fact.(*Gives); ok {
			if fn, ok := f.Object.(*types.Func); ok && fn.Pkg() != w.pass.Pkg {
				givers[fn] = g.Step
			}
		}
	}
	if len(givers) == 0 {
		return
	}
	table := catalog.Golang()
	sites.Uses(w.pass, func(fn *types.Func, node, _ ast.Node, escapes bool) {
		if step, ok := givers[fn]; ok && !escapes && table.Find(fn) == nil {
			w.check(node.(*ast.CallExpr), step, catalog.Step)
		}
	})
}

// export tells the packages above which functions return a step's error.
func (w *work) export() {
	for fn, step := range w.gives {
		if fn.Pkg() == w.pass.Pkg {
			w.pass.ExportObjectFact(fn, &Gives{step})
		}
	}
}
