package main

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"slices"
)

// register adds a rule to the list that analyzers.All returns: an import and
// an element behind the last one.
func register(path string, r rule) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, text, 0)
	if err != nil {
		return err
	}
	list := allList(f)
	if list == nil || len(f.Imports) == 0 {
		return fmt.Errorf("%s: All returns no literal list any more; add the analyzer by hand", path)
	}
	at := func(p token.Pos) int { return set.Position(p).Offset }
	// From the end on, so that the first offset stays right.
	text = slices.Insert(text, at(list.Rbrace), []byte("\t"+r.Package+".Analyzer,\n\t")...)
	imports := fmt.Sprintf("\n\t%q", "github.com/trainvet/trainvet/analyzers/golang/"+r.Package)
	text = slices.Insert(text, at(f.Imports[len(f.Imports)-1].End()), []byte(imports)...)
	out, err := format.Source(text)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, out, 0o644)
}

// allList finds the list that the function All returns.
func allList(f *ast.File) *ast.CompositeLit {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != "All" || fn.Body == nil {
			continue
		}
		for _, s := range fn.Body.List {
			if ret, ok := s.(*ast.ReturnStmt); ok && len(ret.Results) == 1 {
				if lit, ok := ret.Results[0].(*ast.CompositeLit); ok {
					return lit
				}
			}
		}
	}
	return nil
}
