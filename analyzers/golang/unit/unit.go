package unit

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Analyzer makes the Package that all rules require.
var Analyzer = &analysis.Analyzer{
	Name:             "trainvetunit",
	Doc:              "reads what the other trainvet analyzers share of a package",
	Run:              run,
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[*Package](),
}

// Package is one Go package.
type Package struct {
	Root string // folder that the files of the ledger are named from; the units of trainvet vet know none

	fset      *token.FileSet
	generated map[*token.File]bool
	wire      bool
	ignores   []site.Ignore
	rows      func() []ledger.Row // of the ledger at Root, read when first asked for
}

func run(pass *analysis.Pass) (any, error) {
	p := &Package{fset: pass.Fset, generated: map[*token.File]bool{}, wire: Wired()}
	for _, f := range pass.Files {
		if p.writtenByTool(f) {
			p.generated[pass.Fset.File(f.FileStart)] = true
		}
	}
	if dir := p.folder(pass.Files); dir != "" && !p.wire {
		p.Root = Root(dir)
	}
	p.rows = sync.OnceValue(func() []ledger.Row { return readRows(p.Root) })
	p.ignores = p.readIgnores(pass.Files)
	p.announce(pass)
	return p, nil
}

// Position says where pos is. Its file is named from the root; units of
// trainvet vet, whose output the go command keeps longer than any root, give
// the full name.
func (p *Package) Position(pos token.Pos) site.Position {
	if !pos.IsValid() {
		return site.Position{}
	}
	at := p.position(pos)
	return site.Position{File: p.path(at.Filename), Line: at.Line, Column: at.Column}
}

// position is where pos stands in the file that a person edits. A //line
// comment is not followed, since it names the input of a generator; but what
// cgo made of a file is, since nobody ever sees it.
func (p *Package) position(pos token.Pos) token.Position {
	return p.fset.PositionFor(pos, cgoOutput(p.fset.File(pos)))
}

// cgoOutput reports whether a file is what cgo made of one, or made up.
func cgoOutput(f *token.File) bool {
	if f == nil {
		return false
	}
	base := filepath.Base(f.Name())
	return strings.HasSuffix(base, ".cgo1.go") || base == "_cgo_gotypes.go" || base == "_cgo_import.go"
}

// folder is the one that the package's own files lie in.
func (p *Package) folder(files []*ast.File) string {
	for _, f := range files {
		if at := p.position(f.Package); !madeUp(at.Filename) {
			return filepath.Dir(at.Filename)
		}
	}
	return ""
}

// madeUp reports whether a file stands for no source at all.
func madeUp(name string) bool { return strings.HasPrefix(filepath.Base(name), "_cgo_") }

// path names a file from the root; one outside of it keeps its full name.
func (p *Package) path(name string) string {
	if p.Root == "" {
		return filepath.ToSlash(name)
	}
	rel, err := filepath.Rel(p.Root, name)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(name)
	}
	return filepath.ToSlash(rel)
}

// Test reports whether pos is in a test file: its sites are listed and never gated.
func (p *Package) Test(pos token.Pos) bool {
	return strings.HasSuffix(p.position(pos).Filename, "_test.go")
}

// Generated reports whether pos is in a file that says that it is generated.
func (p *Package) Generated(pos token.Pos) bool { return p.generated[p.fset.File(pos)] }

// writtenByTool is ast.IsGenerated, but for what cgo made of a file that
// people wrote: cgo puts its own mark above whatever was there.
func (p *Package) writtenByTool(f *ast.File) bool {
	if !cgoOutput(p.fset.File(f.FileStart)) {
		return ast.IsGenerated(f)
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			own := c.Pos() < f.Package && strings.HasPrefix(c.Text, "// Code generated ") && strings.HasSuffix(c.Text, " DO NOT EDIT.")
			if own && !strings.Contains(c.Text, "by cmd/cgo;") {
				return true
			}
		}
	}
	return false
}

// Ignores returns the inline exemptions of the package.
func (p *Package) Ignores() []site.Ignore { return p.ignores }
