package unit

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"

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
	Root string // folder that the files of the ledger are named from

	fset      *token.FileSet
	generated map[*token.File]bool
	wire      bool
	ignores   []site.Ignore
}

func run(pass *analysis.Pass) (any, error) {
	p := &Package{fset: pass.Fset, generated: map[*token.File]bool{}, wire: Wired()}
	for _, f := range pass.Files {
		if ast.IsGenerated(f) {
			p.generated[pass.Fset.File(f.FileStart)] = true
		}
	}
	if len(pass.Files) > 0 {
		p.Root = Root(filepath.Dir(pass.Fset.Position(pass.Files[0].FileStart).Filename))
	}
	p.ignores = p.readIgnores(pass.Files)
	return p, nil
}

// Position says where pos is, its file named from the root.
func (p *Package) Position(pos token.Pos) site.Position {
	if !pos.IsValid() {
		return site.Position{}
	}
	at := p.fset.PositionFor(pos, false)
	return site.Position{File: p.path(at.Filename), Line: at.Line, Column: at.Column}
}

// path names a file from the root; one outside of it keeps its full name.
func (p *Package) path(name string) string {
	rel, err := filepath.Rel(p.Root, name)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(name)
	}
	return filepath.ToSlash(rel)
}

// Test reports whether pos is in a test file: its sites are listed and never gated.
func (p *Package) Test(pos token.Pos) bool {
	return strings.HasSuffix(p.fset.PositionFor(pos, false).Filename, "_test.go")
}

// Generated reports whether pos is in a file that says that it is generated.
func (p *Package) Generated(pos token.Pos) bool { return p.generated[p.fset.File(pos)] }

// Ignores returns the inline exemptions of the package.
func (p *Package) Ignores() []site.Ignore { return p.ignores }
