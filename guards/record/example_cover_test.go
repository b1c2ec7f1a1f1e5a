package record_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// Every exported type is at work in an example that runs.
func TestEveryTypeIsInAnExample(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	declared, shown := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if n.Name.IsExported() && !strings.HasSuffix(name, "_test.go") {
					declared[n.Name.Name] = true
				}
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "record" && strings.HasPrefix(name, "example") {
					shown[n.Sel.Name] = true
				}
			}
			return true
		})
	}
	for name := range declared {
		if !shown[name] && !shown["New"+name] { // NewReader gives a Reader
			t.Errorf("no example shows %s", name)
		}
	}
	if len(declared) < 20 {
		t.Errorf("only %d types were found", len(declared))
	}
}
