package driver

import (
	"context"
	"fmt"
	"go/ast"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/trainvet/trainvet/analyzers/golang/unit"
	"github.com/trainvet/trainvet/analyzers/site"
)

// TestMain lets the test program answer the go command as a vet tool with an
// analyzer of its own, so that the driver is tested apart from the rules.
func TestMain(m *testing.M) {
	args := os.Args[1:]
	if len(args) > 0 && (args[0] == "-V=full" || args[0] == "-flags" || strings.HasSuffix(args[len(args)-1], ".cfg")) {
		if args[0] != "-V=full" && args[0] != "-flags" {
			whole, err := unit.Whole(args)
			if err != nil {
				panic(err)
			}
			os.Args = append(os.Args[:1], whole...)
		}
		unitchecker.Main(unit.Analyzer, decodes)
	}
	os.Exit(m.Run())
}

// decodes calls every call of a method Decode an unguarded site, and gives up
// on packages called giveup.
var decodes = &analysis.Analyzer{Name: "decodes", Doc: "test", Requires: []*analysis.Analyzer{unit.Analyzer}, Run: func(pass *analysis.Pass) (any, error) {
	if pass.Pkg.Name() == "giveup" {
		return nil, fmt.Errorf("no idea")
	}
	u := pass.ResultOf[unit.Analyzer].(*unit.Package)
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Decode" {
				at := u.Position(sel.Pos())
				u.Emit(pass, sel.Pos(), unit.Wire{Site: &site.Site{Kind: site.Decode, State: site.Unguarded, At: at, ID: site.ID{Path: at.File, Func: "f", Callee: "Decode", Ordinal: 1}, Test: u.Test(sel.Pos())}})
				u.Report(pass, unit.Finding{Code: "TV999", Pos: sel.Pos(), End: sel.End(), Message: "it decodes"})
			}
			return true
		})
	}
	return nil, nil
}}

const tokenizer = "package p\n\ntype T struct{}\n\nfunc (T) Decode(ids []int) string { return \"\" }\n\nfunc F() string { return T{}.Decode(nil) }\n"

func run(t *testing.T, top string, opt Options) *Result {
	t.Helper()
	if testing.Short() {
		t.Skip("starts the go command")
	}
	self, err := os.Executable()
	require.NoError(t, err)
	if opt.Dir == "" {
		opt.Dir = top
	}
	opt.Tool = self
	res, err := Run(t.Context(), opt)
	require.NoError(t, err)
	for i := range res.Units {
		for k, f := range res.Units[i].Files {
			res.Units[i].Files[k] = rel(t, top, f)
		}
	}
	return res
}

func rel(t *testing.T, top, file string) string {
	t.Helper()
	name, err := filepath.Rel(top, file)
	require.NoError(t, err)
	return filepath.ToSlash(name)
}

// told is what became of each unit.
func told(res *Result) map[string]string {
	out := map[string]string{}
	for _, u := range res.Units {
		out[u.Name+strings.Join(append([]string{""}, u.Tags...), " ")] = u.Problem
	}
	return out
}

func TestEveryPackageAnswersOrIsNamed(t *testing.T) {
	t.Parallel()
	top := tree(t, map[string]string{
		"go.mod":                   "module ex.com/m\n\ngo 1.24\n",
		"good/good.go":             strings.Replace(tokenizer, "package p", "package good", 1),
		"good/good_test.go":        "package good\n\nfunc g() string { return T{}.Decode(nil) }\n",
		"good/outer_test.go":       "package good_test\n\nvar X = 1\n",
		"types/types.go":           "package types\n\nfunc F() string { return tok.Decode(nil) }\n",
		"syntax/syntax.go":         "package syntax\n\nfunc F( {\n",
		"importer/importer.go":     "package importer\n\nimport \"ex.com/m/types\"\n\nvar X = types.F()\n",
		"over/over.go":             "package over\n\nimport \"ex.com/m/importer\"\n\nvar X = importer.X\n",
		"missing/missing.go":       "package missing\n\nimport \"example.org/absent/x\"\n\nvar X = x.Y\n",
		"giveup/giveup.go":         "package giveup\n",
		"badtest/badtest.go":       strings.Replace(tokenizer, "package p", "package badtest", 1),
		"badtest/bad_test.go":      "package badtest\n\nvar X = undefined\n",
		"testimport/testimport.go": "package testimport\n",
		"testimport/t_test.go":     "package testimport\n\nimport _ \"example.org/absent/y\"\n",
		"badouter/badouter.go":     "package badouter\n",
		"badouter/outer_test.go":   "package badouter_test\n\nvar X = undefined\n",
		"cgo/cgo.go":               "package cgo\n\n// #include \"absent_header.h\"\nimport \"C\"\n\nvar X = C.absent\n",
		"tagged/tagged.go":         "//go:build cuda\n\npackage tagged\n",
		"mixed/mixed.go":           "package mixed\n",
		"mixed/mixed_cuda.go":      "//go:build cuda\n\npackage mixed\n",
		"docs/readme.txt":          "no Go here",
	})
	res := run(t, top, Options{})
	got := told(res)
	for unit, want := range map[string]string{
		"ex.com/m/good": "", "ex.com/m/good_test": "", "ex.com/m/mixed": "", "ex.com/m/badouter": "",
		"ex.com/m/types":              "undefined: tok",
		"ex.com/m/syntax":             "expected ",
		"ex.com/m/importer":           "it imports ex.com/m/types, which does not build: undefined: tok",
		"ex.com/m/over":               "it imports ex.com/m/types, which does not build: undefined: tok",
		"ex.com/m/missing":            "no required module provides package example.org/absent/x",
		"ex.com/m/giveup":             "decodes gave up: no idea",
		"ex.com/m/badtest":            "",
		"ex.com/m/badtest (tests)":    "undefined: undefined",
		"ex.com/m/testimport":         "",
		"ex.com/m/testimport (tests)": "example.org/absent/y",
		"ex.com/m/badouter_test":      "undefined: undefined",
	} {
		problem, ok := got[unit]
		require.True(t, ok, "%s is neither analysed nor named: %v", unit, got)
		if want == "" {
			require.Empty(t, problem, unit)
		}
		require.Contains(t, problem, want, unit)
	}
	if cgo, ok := got["ex.com/m/cgo"]; ok { // without a C compiler it is left out by its constraints
		require.Contains(t, cgo, "absent_header.h")
	}
	require.Len(t, res.Sites, 3, "test variants are one")
	require.Equal(t, "badtest/badtest.go", rel(t, top, res.Sites[0].At.File))
	require.Equal(t, "good/good.go", rel(t, top, res.Sites[1].At.File))
	require.True(t, res.Sites[2].Test)
	require.Len(t, res.Findings, 3)
	var excluded []string
	for _, f := range res.Excluded {
		excluded = append(excluded, rel(t, top, f))
	}
	require.Subset(t, excluded, []string{"mixed/mixed_cuda.go"})
	require.True(t, slices.ContainsFunc(res.Possible, func(p Possible) bool { return p.Unit == "ex.com/m/types" && p.Name == "Decode" && p.At.Line == 3 }))
	require.True(t, slices.ContainsFunc(res.Possible, func(p Possible) bool { return p.Unit == "ex.com/m/syntax" && p.Name == "" }))
}

// TestPackageSeenAsAnImportFirst: what the go command keeps of a package that
// it analysed for another one is not all that there is to say of it.
func TestPackageSeenAsAnImportFirst(t *testing.T) {
	t.Parallel()
	top := tree(t, map[string]string{
		"go.mod": "module ex.com/m\n\ngo 1.24\n",
		"a/a.go": "package a\n\nimport \"ex.com/m/b\"\n\nvar X = b.F()\n",
		"b/b.go": strings.Replace(tokenizer, "package p", "package b", 1),
	})
	first := run(t, top, Options{Patterns: []string{"./a"}})
	require.Equal(t, map[string]string{"ex.com/m/a": ""}, told(first))
	require.Empty(t, first.Sites, "b was not asked for")
	second := run(t, top, Options{Patterns: []string{"./b"}})
	require.Equal(t, map[string]string{"ex.com/m/b": ""}, told(second))
	require.Len(t, second.Sites, 1)
}

func TestTagSets(t *testing.T) {
	t.Parallel()
	body := strings.TrimPrefix(tokenizer, "package p")
	top := tree(t, map[string]string{
		"go.mod": "module ex.com/m\n\ngo 1.24\n", "p.go": "package m\n",
		"cuda.go": "//go:build cuda\n\npackage m" + body, "rocm.go": "//go:build rocm && fast\n\npackage m" + body,
		"never.go": "//go:build never\n\npackage m\n",
	})
	res := run(t, top, Options{TagSets: []string{"", "cuda", "rocm,fast"}})
	require.Equal(t, map[string]string{"ex.com/m": "", "ex.com/m cuda": "", "ex.com/m rocm fast": ""}, told(res))
	require.Len(t, res.Sites, 2)
	require.Len(t, res.Excluded, 1)
	require.Equal(t, "never.go", rel(t, top, res.Excluded[0]))
}

// TestLeftOut: what build constraints leave out is named, whole folders of it
// too, and searched for what may be a site.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	top := tree(t, map[string]string{
		"go.mod": "module ex.com/m\n\ngo 1.24\n", "p.go": "package m\n",
		"gpu/gpu.go": "//go:build cuda\n\npackage gpu\n\nfunc f() { tok.Decode(ids) }\n",
		"gpu/quiet.go": `//go:build cuda

package gpu

import (
	"encoding/json"
	"unicode/utf16"
)

func g() {
	utf16.Decode(nil)
	json.NewDecoder(r).Decode(&v)
	tok.Decode(ids) //trainvet:ignore TV101 read with the cuda tags on 3 May
	//trainvet:ignore TV101
	tok.Decode(noReason)
}
`,
		"gpu/gpu_test.go":     "//go:build cuda\n\npackage gpu\n\nfunc h() { tok.Decode(ids) }\n",
		"gpu/inner/go.mod":    "module ex.com/inner\n\ngo 1.24\n",
		"gpu/inner/inner.go":  "//go:build cuda\n\npackage inner\n\nfunc f() { tok.Decode(ids) }\n",
		"testdata/data.go":    "//go:build cuda\n\npackage data\n\nfunc f() { tok.Decode(ids) }\n",
		"_off/off.go":         "//go:build cuda\n\npackage off\n\nfunc f() { tok.Decode(ids) }\n",
		"docs/only_plan9.go":  "package docs\n",
		"docs/_hidden.go":     "//go:build cuda\n\npackage docs\n",
		"docs/text_plan9.txt": "no Go\n",
	})
	excluded := func(res *Result) (out []string) {
		for _, f := range res.Excluded {
			out = append(out, rel(t, top, f))
		}
		return out
	}
	res := run(t, top, Options{})
	require.Equal(t, []string{"docs/only_plan9.go", "gpu/gpu.go", "gpu/inner/inner.go", "gpu/quiet.go"}, excluded(res))
	var places []string
	for _, p := range res.Possible {
		require.Empty(t, p.Unit)
		places = append(places, fmt.Sprintf("%s:%d %s", rel(t, top, p.At.File), p.At.Line, p.Name))
	}
	require.Equal(t, []string{"gpu/gpu.go:5 Decode", "gpu/inner/inner.go:5 Decode", "gpu/quiet.go:15 Decode"}, places)
	require.Equal(t, []string{"gpu/gpu.go", "gpu/inner/inner.go", "gpu/quiet.go"}, excluded(run(t, top, Options{Patterns: []string{"./gpu/..."}})))
	require.Empty(t, excluded(run(t, top, Options{Patterns: []string{"."}})), "nothing below was asked for")
}

func TestModulesAndWorkspaces(t *testing.T) {
	t.Parallel()
	top := tree(t, map[string]string{
		"go.work":  "go 1.24\n\nuse ./a\n\nuse ./b\n",
		"a/go.mod": "module ex.com/a\n\ngo 1.24\n\nrequire ex.com/b v0.0.0\n", "a/a.go": "package a\n\nimport \"ex.com/b\"\n\nvar X = b.X\n",
		"b/go.mod": "module ex.com/b\n\ngo 1.24\n", "b/b.go": "package b\n\nvar X = 1\n",
		"alone/go.mod": "module ex.com/alone\n\ngo 1.24\n", "alone/alone.go": "package alone\n",
		"broken/go.mod": "module ex.com/broken\n\nnonsense\n", "broken/x.go": "package x\n",
		"empty/go.mod": "module ex.com/empty\n\ngo 1.24\n",
	})
	res := run(t, top, Options{})
	got := told(res)
	require.Len(t, res.Modules, 5)
	require.Contains(t, got[filepath.ToSlash(filepath.Join(top, "broken"))], "nonsense")
	delete(got, filepath.ToSlash(filepath.Join(top, "broken")))
	require.Equal(t, map[string]string{"ex.com/a": "", "ex.com/b": "", "ex.com/alone": ""}, got)
}

func TestVendoredAndGenerated(t *testing.T) {
	t.Parallel()
	top := tree(t, map[string]string{
		"go.mod":                 "module ex.com/m\n\ngo 1.24\n\nrequire ex.com/dep v1.0.0\n",
		"vendor/modules.txt":     "# ex.com/dep v1.0.0\n## explicit\nex.com/dep\n",
		"vendor/ex.com/dep/d.go": strings.Replace(tokenizer, "package p", "package dep", 1),
		"m.go":                   "// Code generated by hand. DO NOT EDIT.\n\n//line m.y:70\npackage m\n\nimport \"ex.com/dep\"\n\nvar X = dep.T{}.Decode(nil)\n",
	})
	res := run(t, top, Options{})
	require.Equal(t, map[string]string{"ex.com/m": ""}, told(res))
	require.Len(t, res.Sites, 1, "vendored packages are analysed for facts only")
	require.Equal(t, 8, res.Sites[0].At.Line)
	require.Len(t, res.Units[0].Generated, 1)
}

func TestCgo(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler")
	}
	top := tree(t, map[string]string{
		"go.mod": "module ex.com/m\n\ngo 1.24\n",
		"m.go":   "package m\n\n// int three(void) { return 3; }\nimport \"C\"\n\ntype T struct{}\n\nfunc (T) Decode(n int) string { return \"\" }\n\nvar X = T{}.Decode(int(C.three()))\n",
	})
	res := run(t, top, Options{Env: append(os.Environ(), "CGO_ENABLED=1")})
	require.Equal(t, map[string]string{"ex.com/m": ""}, told(res))
	require.Equal(t, []string{"m.go"}, res.Units[0].Files)
	require.Empty(t, res.Units[0].Generated)
	require.Len(t, res.Sites, 1)
	require.Equal(t, "m.go", rel(t, top, res.Sites[0].At.File))
	require.Equal(t, 10, res.Sites[0].At.Line)
}

// TestLargeFile: 50,000 lines in one file, each with a site.
func TestLargeFile(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(strings.Replace(tokenizer, "package p", "package m", 1))
	for i := range 12_500 {
		fmt.Fprintf(&b, "func f%d(ids []int) string {\n\tx := T{}.Decode(ids)\n\t_ = ids\n\treturn x\n}\n", i)
	}
	top := tree(t, map[string]string{"go.mod": "module ex.com/m\n\ngo 1.24\n", "m.go": b.String()})
	require.Len(t, run(t, top, Options{}).Sites, 12_501)
}

func TestNoGoCommand(t *testing.T) {
	t.Parallel()
	top := tree(t, map[string]string{"go.mod": "module m", "m.go": "package m"})
	_, err := Run(t.Context(), Options{Dir: top, Tool: "x", Go: filepath.Join(top, "absent")})
	require.ErrorIs(t, err, ErrNoGo)
	_, err = Run(t.Context(), Options{Dir: t.TempDir(), Tool: "x", Go: filepath.Join(top, "absent")})
	require.NoError(t, err, "without a module there is nothing to ask the go command")
}

func TestInterrupt(t *testing.T) {
	t.Parallel()
	top := tree(t, map[string]string{"go.mod": "module m", "m.go": "package m"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Run(ctx, Options{Dir: top, Tool: "x"})
	require.ErrorIs(t, err, context.Canceled)
}
