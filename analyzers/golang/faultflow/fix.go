package faultflow

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Wrap is the fix of a lost type: the verb that prints the error becomes %w.
// The text stays the same, so it keeps what the program means. It is offered
// only where the format is written out and the verb's argument is an error.
func (l Loss) Wrap(pass *analysis.Pass) []analysis.SuggestedFix {
	call, ok := l.Node.(*ast.CallExpr)
	if !ok || len(call.Args) < 2 || call.Ellipsis.IsValid() || l.Label != "fmt.Errorf" {
		return nil
	}
	lit, ok := ast.Unparen(call.Args[0]).(*ast.BasicLit)
	if !ok {
		return nil
	}
	format := constant.StringVal(pass.TypesInfo.Types[lit].Value)
	for i, verb := range verbs(format) {
		if i+1 >= len(call.Args) || verb != 'v' && verb != 's' {
			continue
		}
		arg := call.Args[i+1]
		if inner := errorText(pass.TypesInfo, arg); inner != nil {
			return l.rewrite(lit, i, arg, inner)
		}
		if t := pass.TypesInfo.TypeOf(arg); t != nil && types.Implements(t, errorIface) {
			return l.rewrite(lit, i, nil, nil)
		}
	}
	return nil
}

// errorText is the err of err.Error().
func errorText(info *types.Info, arg ast.Expr) ast.Expr {
	call, ok := ast.Unparen(arg).(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Error" {
		return nil
	}
	if t := info.TypeOf(sel.X); t == nil || !types.Implements(t, errorIface) {
		return nil
	}
	return sel.X
}

// rewrite changes the n-th verb of a literal, and the argument too where it is
// the text of an error.
func (l Loss) rewrite(lit *ast.BasicLit, n int, arg, inner ast.Expr) []analysis.SuggestedFix {
	at := plainVerb(lit.Value, n)
	if at < 0 {
		return nil
	}
	pos := lit.Pos() + token.Pos(at)
	edits := []analysis.TextEdit{{Pos: pos, End: pos + 2, NewText: []byte("%w")}}
	if arg != nil {
		edits = append(edits, analysis.TextEdit{Pos: inner.End(), End: arg.End()})
	}
	return []analysis.SuggestedFix{{Message: "wrap the error with %w", TextEdits: edits}}
}

// plainVerb is the offset of the n-th verb in a literal's source where every
// verb up to it is a bare one; -1: there are flags, indexes or escapes, which
// are left to people.
func plainVerb(src string, n int) int {
	for i := 0; i+1 < len(src); i++ {
		if src[i] != '%' {
			continue
		}
		next := src[i+1]
		if next == '%' {
			i++
			continue
		}
		if !('a' <= next && next <= 'z' || 'A' <= next && next <= 'Z') {
			return -1
		}
		if n == 0 {
			return i
		}
		n--
		i++
	}
	return -1
}

// Propagate is the draft of a mend for a dropped fault: it leaves the handler
// first. It is offered where the handler is an if that tests a plain variable,
// the function around it returns an error last, and the file can name the
// sentinel.
func (l Loss) Propagate(pass *analysis.Pass) []analysis.SuggestedFix {
	stmt, ok := l.Node.(*ast.IfStmt)
	if !ok {
		return nil
	}
	cond, ok := stmt.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.NEQ {
		return nil
	}
	err, ok := cond.X.(*ast.Ident)
	if !ok || !isError(pass.TypesInfo.TypeOf(err)) {
		return nil
	}
	file := fileOf(pass, stmt.Pos())
	test := sentinelTest(pass, file, stmt.Pos(), err.Name)
	ret, ok := returnOf(pass, l.Fn, err.Name)
	if test == "" || !ok {
		return nil
	}
	text := "\nif " + test + " {\n" + ret + "\n}"
	at := stmt.Body.Lbrace + 1
	return []analysis.SuggestedFix{{
		Message:   "let faults leave the handler first",
		TextEdits: []analysis.TextEdit{{Pos: at, End: at, NewText: []byte(text)}},
	}}
}

func fileOf(pass *analysis.Pass, pos token.Pos) *ast.File {
	for _, f := range pass.Files {
		if f.FileStart <= pos && pos < f.FileEnd {
			return f
		}
	}
	return nil
}

// sentinelTest writes errors.Is(err, guards.ErrFault) with the names that the
// file imports them by, if it does and they mean the same at that place.
func sentinelTest(pass *analysis.Pass, file *ast.File, at token.Pos, err string) string {
	std := importName(pass, file, at, func(p *types.Package) bool { return p.Path() == "errors" })
	if std == "" {
		return ""
	}
	sentinel := ""
	pkg := importName(pass, file, at, func(p *types.Package) bool {
		for _, name := range p.Scope().Names() {
			v, ok := p.Scope().Lookup(name).(*types.Var)
			if ok && v.Exported() && isError(v.Type()) && pass.ImportObjectFact(v, &Faulty{}) {
				sentinel = name
				return true
			}
		}
		return false
	})
	if pkg == "" {
		return ""
	}
	return std + ".Is(" + err + ", " + pkg + "." + sentinel + ")"
}

func importName(pass *analysis.Pass, file *ast.File, at token.Pos, want func(*types.Package) bool) string {
	inner := pass.Pkg.Scope().Innermost(at)
	for _, spec := range file.Imports {
		name := pass.TypesInfo.PkgNameOf(spec)
		if name == nil || name.Name() == "." || name.Name() == "_" || !want(name.Imported()) {
			continue
		}
		if _, obj := inner.LookupParent(name.Name(), at); obj == name {
			return name.Name()
		}
	}
	return ""
}

// returnOf writes a return of zero values and the error.
func returnOf(pass *analysis.Pass, fn ast.Node, err string) (string, bool) {
	var typ *ast.FuncType
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		typ = fn.Type
	case *ast.FuncLit:
		typ = fn.Type
	}
	if typ == nil || typ.Results == nil {
		return "", false
	}
	var values []string
	for _, field := range typ.Results.List {
		t := pass.TypesInfo.TypeOf(field.Type)
		zero, ok := zeroOf(t, field.Type)
		for range max(1, len(field.Names)) {
			if !ok {
				return "", false
			}
			values = append(values, zero)
		}
	}
	if last := typ.Results.List[len(typ.Results.List)-1]; !isError(pass.TypesInfo.TypeOf(last.Type)) {
		return "", false
	}
	values[len(values)-1] = err
	return "return " + strings.Join(values, ", "), true
}

// zeroOf writes the zero value of a type as its expression in the signature
// names it.
func zeroOf(t types.Type, expr ast.Expr) (string, bool) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false", true
		case u.Info()&types.IsString != 0:
			return strconv.Quote(""), true
		case u.Info()&types.IsNumeric != 0:
			return "0", true
		}
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature:
		return "nil", true
	case *types.Interface:
		if _, param := t.(*types.TypeParam); !param {
			return "nil", true
		}
	case *types.Struct:
		if id, ok := expr.(*ast.Ident); ok {
			return id.Name + "{}", true
		}
	}
	return "", false
}
