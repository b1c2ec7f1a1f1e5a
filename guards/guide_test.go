package guards_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	guidePath  = "../docs/go-trainers.md"
	modulePath = "github.com/trainvet/trainvet/guards"
)

// Each Go block of the guide is a whole file. It must compile against the
// guards as they are and against the APIs of the engines, which testdata/guide
// holds in part.
func TestGuideCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("it type-checks the standard library from source")
	}
	blocks := guideBlocks(t)
	if len(blocks) < 10 {
		t.Fatalf("the guide has %d Go blocks", len(blocks))
	}
	imp := newGuideImporter()
	for _, b := range blocks {
		name := fmt.Sprintf("%s:%d", guidePath, b.line)
		file, err := parser.ParseFile(imp.fset, name, b.text, parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		config := types.Config{Importer: imp, Error: func(err error) { t.Error(err) }}
		_, _ = config.Check(name, imp.fset, []*ast.File{file}, nil) // its errors were told one by one
	}
	namesExist(t, imp)
}

type guideBlock struct {
	line int // of its first line
	text string
}

func guideBlocks(t *testing.T) (blocks []guideBlock) {
	t.Helper()
	text, err := os.ReadFile(guidePath)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the guide is not here: this is the module alone")
	}
	if err != nil {
		t.Fatal(err)
	}
	open := false
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case !open && line == "```go":
			open = true
			blocks = append(blocks, guideBlock{line: i + 2})
		case open && line == "```":
			open = false
		case open:
			blocks[len(blocks)-1].text += line + "\n"
		}
	}
	return blocks
}

// guideImporter finds this module in its folder, the engines in testdata, and
// the standard library in its source.
type guideImporter struct {
	fset *token.FileSet
	std  types.Importer
	done map[string]*types.Package
}

func newGuideImporter() *guideImporter {
	fset := token.NewFileSet()
	return &guideImporter{fset: fset, std: importer.ForCompiler(fset, "source", nil), done: map[string]*types.Package{}}
}

func (g *guideImporter) Import(path string) (*types.Package, error) {
	if p := g.done[path]; p != nil {
		return p, nil
	}
	first, _, _ := strings.Cut(path, "/")
	if !strings.Contains(first, ".") {
		return g.std.Import(path)
	}
	dir := filepath.Join("testdata", "guide", filepath.FromSlash(path))
	if rest, ok := strings.CutPrefix(path+"/", modulePath+"/"); ok {
		dir = filepath.FromSlash("./" + rest)
	}
	p, err := g.check(path, dir)
	if err != nil {
		return nil, fmt.Errorf("checking %s: %w", path, err)
	}
	g.done[path] = p
	return p, nil
}

// check leaves out files for other systems by their names, which is enough for
// a module that says systems there only.
func (g *guideImporter) check(path, dir string) (*types.Package, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_linux.go") || strings.HasSuffix(name, "_unix.go") {
			continue
		}
		f, err := parser.ParseFile(g.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	config := types.Config{Importer: g, IgnoreFuncBodies: true}
	return config.Check(path, g.fset, files, nil)
}

// namesExist holds the names in the text of the guide against the package.
func namesExist(t *testing.T, imp types.Importer) {
	t.Helper()
	text, err := os.ReadFile(guidePath)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := imp.Import(modulePath)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range strings.FieldsFunc(string(text), func(r rune) bool {
		return r != '.' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) {
		name, ok := strings.CutPrefix(word, "guards.")
		name, _, _ = strings.Cut(name, ".")
		if ok && name != "" && pkg.Scope().Lookup(name) == nil {
			t.Errorf("the guide names guards.%s", name)
		}
	}
}

// Every exported type that a trainer's author meets has an example that runs.
func TestEveryTypeHasAnExample(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{".", "guardtest"} {
		examples := ""
		var declared []string
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					examples += d.Name.Name + "\n"
				case *ast.GenDecl:
					if !strings.HasSuffix(name, "_test.go") {
						declared = append(declared, exportedTypes(d)...)
					}
				}
			}
		}
		for _, name := range declared {
			if !strings.Contains("\n"+examples, "\nExample"+name+"\n") && !strings.Contains("\n"+examples, "\nExample"+name+"_") {
				t.Errorf("%s: %s has no example", dir, name)
			}
		}
	}
}

func exportedTypes(d *ast.GenDecl) (names []string) {
	for _, s := range d.Specs {
		if ts, ok := s.(*ast.TypeSpec); ok && ts.Name.IsExported() {
			names = append(names, ts.Name.Name)
		}
	}
	return names
}
