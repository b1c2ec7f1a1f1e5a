package mend

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Place is a node with what stands around it, the innermost first.
type Place struct {
	pass  *analysis.Pass
	stack []ast.Node
}

// At finds the nodes around a node, itself the first.
func At(pass *analysis.Pass, node ast.Node) Place {
	p := Place{pass: pass}
	for _, f := range pass.Files {
		if f.FileStart > node.Pos() || node.Pos() >= f.FileEnd {
			continue
		}
		var stack []ast.Node
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil {
				stack = stack[:len(stack)-1]
				return true
			}
			stack = append(stack, n)
			if n == node {
				for i := len(stack) - 1; i >= 0; i-- {
					p.stack = append(p.stack, stack[i])
				}
			}
			return p.stack == nil
		})
	}
	return p
}

// Up returns the n-th node around; nil: there is none.
func (p Place) Up(n int) ast.Node {
	if n < len(p.stack) {
		return p.stack[n]
	}
	return nil
}

// InBlock reports whether the n-th node around is a statement of a block, so
// that others can stand beside it.
func (p Place) InBlock(n int) bool {
	switch b := p.Up(n + 1).(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		if clause, ok := b.(*ast.CommClause); ok {
			return clause.Comm != p.Up(n)
		}
		return true
	}
	return false
}

// ReturnError writes the statement that returns an error from the function
// around; false: that function returns none, or its other results have no
// short zero value.
func (p Place) ReturnError(name string) (string, bool) {
	results := p.results()
	if results == nil || results.Len() == 0 {
		return "", false
	}
	last := results.At(results.Len() - 1).Type()
	if !types.Identical(last, types.Universe.Lookup("error").Type()) {
		return "", false
	}
	var words []string
	for i := range results.Len() - 1 {
		zero, ok := zeroOf(results.At(i).Type())
		if !ok {
			return "", false
		}
		words = append(words, zero)
	}
	return "return " + strings.Join(append(words, name), ", "), true
}

func (p Place) results() *types.Tuple {
	for _, n := range p.stack {
		switch n := n.(type) {
		case *ast.FuncLit:
			if sig, ok := p.pass.TypesInfo.TypeOf(n).(*types.Signature); ok {
				return sig.Results()
			}
			return nil
		case *ast.FuncDecl:
			if fn, ok := p.pass.TypesInfo.Defs[n.Name].(*types.Func); ok {
				return fn.Signature().Results()
			}
			return nil
		}
	}
	return nil
}

func zeroOf(t types.Type) (string, bool) {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return "", false
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return "nil", true
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false", true
		case u.Info()&types.IsString != 0:
			return `""`, true
		case u.Info()&types.IsNumeric != 0:
			return "0", true
		}
	}
	return "", false
}

// Free reports whether a name can be declared beside what stands at pos: it is
// not declared in the same block, or before and as an error.
func (p Place) Free(name string, pos token.Pos) bool {
	scope := p.pass.Pkg.Scope().Innermost(pos)
	if scope == nil {
		return false
	}
	obj := scope.Lookup(name)
	if obj == nil {
		return true
	}
	return obj.Pos() < pos && types.Identical(obj.Type(), types.Universe.Lookup("error").Type())
}

// Text writes a node as it would stand in a file.
func Text(pass *analysis.Pass, node ast.Node) string {
	var b bytes.Buffer
	if err := format.Node(&b, pass.Fset, node); err != nil {
		return ""
	}
	return b.String()
}

// Replace is the fix that writes new text for a node.
func Replace(message string, node ast.Node, text string) analysis.SuggestedFix {
	return analysis.SuggestedFix{Message: message, TextEdits: []analysis.TextEdit{{Pos: node.Pos(), End: node.End(), NewText: []byte(text)}}}
}
