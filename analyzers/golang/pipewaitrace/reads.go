package pipewaitrace

import (
	"go/ast"
	"go/types"

	"github.com/trainvet/trainvet/analyzers/golang/child"
)

// reads finds where a pipe is read: the uses of its variable and of what is
// made of it, such as a scanner. A pipe that is stored or returned is read
// where nobody sees it: nothing is said of it.
func (r *race) reads(pipe child.Use) []place {
	vars := map[types.Object]bool{}
	if a, ok := pipe.Path[len(pipe.Path)-1].(*ast.AssignStmt); ok {
		id, ok := a.Lhs[0].(*ast.Ident)
		if !ok || id.Name == "_" {
			return nil
		}
		vars[r.info.ObjectOf(id)] = true
	}
	var out []place
	for grown := true; grown; {
		out, grown = r.collect(vars)
	}
	return out
}

// collect finds the uses of the variables, and more variables that are made of
// them.
func (r *race) collect(vars map[types.Object]bool) (out []place, grown bool) {
	lost := false
	child.Walk(r.cmd.Decl.Body, func(n ast.Node, path []ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || !vars[r.info.Uses[id]] {
			return
		}
		switch made := r.made(path); {
		case made == kept:
			lost = true
		case made == compared:
		case made == named:
			for _, obj := range r.names(path) {
				if !vars[obj] {
					vars[obj], grown = true, true
				}
			}
		default:
			out = append(out, r.locate(path, id.Pos()))
		}
	})
	if lost {
		return nil, false
	}
	return out, grown
}

// use is what a piece of code does with a pipe.
type use int

const (
	reading  use = iota
	named        // scanner := bufio.NewScanner(pipe)
	kept         // s.out = pipe, return pipe
	compared     // defer pipe.Close()
)

// made classifies the statement around a use.
func (r *race) made(path []ast.Node) use {
	for i := len(path) - 1; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.ReturnStmt:
			if i == len(path)-1 {
				return kept
			}
			return reading
		case *ast.CompositeLit, *ast.SendStmt:
			return kept
		case *ast.SelectorExpr:
			if n.Sel.Name == "Close" {
				return compared
			}
		case *ast.BinaryExpr:
			return compared
		case *ast.AssignStmt:
			if len(r.names(path)) > 0 {
				return named
			}
			if _, field := n.Lhs[0].(*ast.SelectorExpr); field {
				return kept
			}
			return reading
		case ast.Stmt, *ast.FuncLit:
			return reading
		}
	}
	return reading
}

// names are the variables that the statement around a use makes of it, where
// what it makes is a reader again: it has a method Read, Scan or Decode.
func (r *race) names(path []ast.Node) []types.Object {
	for i := len(path) - 1; i >= 0; i-- {
		a, ok := path[i].(*ast.AssignStmt)
		if !ok {
			continue
		}
		var out []types.Object
		for _, lhs := range a.Lhs {
			id, ok := lhs.(*ast.Ident)
			if !ok || r.info.ObjectOf(id) == nil {
				continue
			}
			if obj := r.info.ObjectOf(id); isReader(obj.Type()) {
				out = append(out, obj)
			}
		}
		return out
	}
	return nil
}

func isReader(t types.Type) bool {
	for _, name := range []string{"Read", "Scan", "Decode"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name); obj != nil {
			return true
		}
	}
	return false
}
