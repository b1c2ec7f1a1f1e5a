// Package pipewaitrace is TV211: Wait closes a child's pipes, and what was not
// read by then is gone. When it runs before the reader has seen the end, the
// last lines are lost, and those are where a fault stands.
//
// It looks at trainers and at children whose program is not known here; of a
// child that is known to be something else, no metric comes.
package pipewaitrace

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/golang/child"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:     "pipewaitrace",
	Doc:      "TV211: Wait runs before a child's pipe is read to its end",
	Run:      run,
	Requires: []*analysis.Analyzer{child.Analyzer, unit.Analyzer},
}

func run(pass *analysis.Pass) (any, error) {
	u := pass.ResultOf[unit.Analyzer].(*unit.Package)
	for _, c := range pass.ResultOf[child.Analyzer].(*child.Result).Commands {
		if c.Trainer == "" && !c.Opaque {
			continue
		}
		r := &race{info: pass.TypesInfo, cmd: c}
		for _, use := range c.Called("StdoutPipe", "StderrPipe") {
			r.judge(use, func(wait child.Use, read token.Pos, text string) {
				u.Report(pass, unit.Finding{
					Code: "TV211", Pos: wait.Call.Pos(), End: wait.Call.End(), Message: text,
					Related: []analysis.RelatedInformation{{Pos: use.Call.Pos(), Message: "the pipe is made here"}, {Pos: read, Message: "it is read here"}},
				})
			})
		}
	}
	return nil, nil
}

// race judges one command's pipes.
type race struct {
	info *types.Info
	cmd  *child.Command
}

// judge holds each read of a pipe against each Wait. One report a pipe.
func (r *race) judge(pipe child.Use, report func(wait child.Use, read token.Pos, text string)) {
	reads := r.reads(pipe)
	for _, wait := range r.cmd.Called("Wait", "Run") {
		for _, read := range reads {
			if text := r.between(read, wait); text != "" {
				report(wait, read.pos, text)
				return
			}
		}
	}
}

// place is a piece of code: where, and in which run of code it stands.
type place struct {
	pos  token.Pos
	in   ast.Node // the FuncLit around it; nil: the declared function
	from token.Pos
	own  bool // that literal runs beside the code around it
	call bool // it is the argument of a go statement
}

// between says why a read may lose to a Wait; empty: it does not.
func (r *race) between(read place, wait child.Use) string {
	w := r.locate(wait.Path, wait.Call.Pos())
	if _, deferred := wait.Path[len(wait.Path)-1].(*ast.DeferStmt); deferred && w.in == read.in && !read.call {
		return ""
	}
	switch {
	case read.in == w.in && !read.call:
		if read.pos < w.pos {
			return ""
		}
		return "the pipe is read after Wait has closed it: what the child wrote last is lost"
	case w.own && read.in != w.in:
		if r.joins(w.in, w.in.Pos(), w.pos) {
			return ""
		}
		return "Wait runs beside the reader of the pipe and closes it: what the child wrote last may be lost"
	case read.own || read.call:
		if r.joins(r.body(w.in), read.from, w.pos) || read.from > w.pos {
			return ""
		}
		return "Wait does not wait for the goroutine that reads the pipe, and closes it: what the child wrote last may be lost"
	}
	return ""
}

func (r *race) body(lit ast.Node) ast.Node {
	if lit == nil {
		return r.cmd.Decl
	}
	return lit
}

// locate finds the literal around a place and whether it runs on its own: go,
// or a function that is given it and is known to start it.
func (r *race) locate(path []ast.Node, pos token.Pos) place {
	p := place{pos: pos, from: pos}
	for i := len(path) - 1; i >= 0; i-- {
		if g, ok := path[i].(*ast.GoStmt); ok && p.in == nil {
			p.call, p.from = true, g.Pos() // go read(pipe)
		}
		lit, ok := path[i].(*ast.FuncLit)
		if !ok {
			continue
		}
		p.in = lit
		if !p.call {
			p.from = lit.Pos()
		}
		if i > 0 {
			if call, ok := path[i-1].(*ast.CallExpr); ok {
				p.own = call.Fun != lit || i > 1 && isGo(path[i-2]) // handed on: wg.Go, g.Go, pool.Submit
			}
		}
		return p
	}
	return p
}

func isGo(n ast.Node) bool {
	_, ok := n.(*ast.GoStmt)
	return ok
}

// joins reports whether code between two positions waits for another
// goroutine: it receives, selects, ranges over a channel or calls a Wait that
// is not the command's. That it is the right one is taken on trust.
func (r *race) joins(root ast.Node, from, to token.Pos) bool {
	found := false
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil || found || n.End() < from || n.Pos() >= to {
			return false
		}
		if n.Pos() < from {
			return true
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return n.Pos() <= to && to < n.End() // another's code joins nothing here
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.SelectStmt:
			found = true
		case *ast.RangeStmt:
			_, chan_ := r.info.TypeOf(n.X).Underlying().(*types.Chan)
			found = found || chan_
		case *ast.CallExpr:
			found = found || r.otherWait(n)
		}
		return true
	})
	return found
}

func (r *race) otherWait(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Wait" {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return !ok || r.info.ObjectOf(id) != r.cmd.Var
}
