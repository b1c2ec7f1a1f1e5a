package driver

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

// possible searches files that were not analysed for calls that may be sites
// by their names. Names are all that there is without types; test files are
// never gated and not searched.
func possible(unit string, files []string, names func(string) bool) []Possible {
	var out []Possible
	for _, name := range files {
		if !strings.HasSuffix(name, "_test.go") {
			out = append(out, possibleIn(unit, name, names)...)
		}
	}
	return out
}

func possibleIn(unit, name string, names func(string) bool) []Possible {
	var out []Possible
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		out = append(out, Possible{Unit: unit, At: site.Position{File: name}})
	}
	if f == nil {
		return out
	}
	no := innocent{library: standardImports(f), exempt: exemptLines(fset, f), calls: map[*ast.SelectorExpr]bool{}}
	ast.Inspect(f, func(n ast.Node) bool {
		no.see(n)
		sel, ok := n.(*ast.SelectorExpr) // called or passed on as a value
		if !ok || names != nil && !names(sel.Sel.Name) {
			return true
		}
		at := fset.PositionFor(sel.Sel.Pos(), false)
		if !no.is(sel, at.Line) {
			out = append(out, Possible{Unit: unit, Name: sel.Sel.Name, At: site.Position{File: name, Line: at.Line, Column: at.Column}})
		}
		return true
	})
	return out
}

// innocent tells what is no site in spite of its name.
type innocent struct {
	library map[string]bool            // names of imported packages of the standard library
	exempt  map[int]bool               // lines
	calls   map[*ast.SelectorExpr]bool // that fill a variable: dec.Decode(&v)
}

func (no innocent) see(n ast.Node) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	address, filled := call.Args[len(call.Args)-1].(*ast.UnaryExpr)
	if ok && filled && address.Op == token.AND {
		no.calls[sel] = true
	}
}

func (no innocent) is(sel *ast.SelectorExpr, line int) bool {
	of, named := sel.X.(*ast.Ident)
	return no.exempt[line] || no.calls[sel] || named && no.library[of.Name]
}

// libraries hold the folders of the standard library that decode what are no
// token ids. The other folders have no function of such a name.
var libraries = map[string]bool{"encoding": true, "image": true, "mime": true, "unicode": true}

// standardImports are the names that packages of the standard library which
// decode have in a file.
func standardImports(f *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		first, _, _ := strings.Cut(path, "/")
		if err != nil || !libraries[first] {
			continue
		}
		if spec.Name != nil {
			names[spec.Name.Name] = true
			continue
		}
		names[path[strings.LastIndexByte(path, '/')+1:]] = true
	}
	return names
}

// exemptDirective is one of TV101 with a reason: whoever looked at a call that
// is never analysed here says so beside it.
var exemptDirective = regexp.MustCompile(`^//trainvet:ignore\s+(?:\w+,)*TV101(?:,\w+)*\s+\S`)

func exemptLines(fset *token.FileSet, f *ast.File) map[int]bool {
	lines := map[int]bool{}
	for _, group := range f.Comments {
		for _, c := range group.List {
			if exemptDirective.MatchString(c.Text) {
				lines[fset.PositionFor(c.Pos(), false).Line] = true
				lines[fset.PositionFor(group.End(), false).Line+1] = true
			}
		}
	}
	return lines
}

func comparePositions(a, b site.Position) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}
