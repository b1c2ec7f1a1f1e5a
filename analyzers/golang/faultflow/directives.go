package faultflow

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/golang/sites"
)

// faultDirective stands on the types and variables whose errors are faults.
const faultDirective = "//trainvet:fault"

// directives are what the comments of a package declare.
type directives struct {
	guards map[*types.Func]bool
	faulty map[types.Object]bool
}

func (d *directives) empty() bool { return len(d.guards) == 0 && len(d.faulty) == 0 }

// readDirectives looks at declarations only: directives elsewhere mean nothing.
func readDirectives(pass *analysis.Pass, found *sites.Result) *directives {
	d := &directives{guards: map[*types.Func]bool{}, faulty: map[types.Object]bool{}}
	for _, f := range pass.Files {
		if !mentions(f) {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				d.guard(pass.TypesInfo, found, n.Name)
				return false
			case *ast.GenDecl:
				d.readSpecs(pass.TypesInfo, n)
			case *ast.InterfaceType:
				for _, m := range n.Methods.List {
					for _, name := range m.Names {
						d.guard(pass.TypesInfo, found, name)
					}
				}
			}
			return true
		})
	}
	return d
}

// mentions is the fast path: nearly no file holds a directive.
func mentions(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//trainvet:") {
				return true
			}
		}
	}
	return false
}

func (d *directives) guard(info *types.Info, found *sites.Result, name *ast.Ident) {
	if fn, ok := info.Defs[name].(*types.Func); ok {
		if _, is := found.Guard(fn); is {
			d.guards[fn] = true
		}
	}
}

func (d *directives) readSpecs(info *types.Info, decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if marked(spec.Doc, spec.Comment) || !decl.Lparen.IsValid() && marked(decl.Doc) {
				d.faulty[info.Defs[spec.Name]] = true
			}
		case *ast.ValueSpec:
			if marked(spec.Doc, spec.Comment) || !decl.Lparen.IsValid() && marked(decl.Doc) {
				for _, name := range spec.Names {
					d.faulty[info.Defs[name]] = true
				}
			}
		}
	}
}

// marked reports whether a comment is the directive; words behind it are for
// people.
func marked(groups ...*ast.CommentGroup) bool {
	for _, g := range groups {
		if g == nil {
			continue
		}
		for _, c := range g.List {
			rest, ok := strings.CutPrefix(c.Text, faultDirective)
			if ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
				return true
			}
		}
	}
	return false
}
