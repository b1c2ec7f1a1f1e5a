package stubtest

import (
	"cmp"
	"flag"
	"go/format"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/packages"
)

// update is the flag by which the tests of fixes write their golden files anew.
var update = flag.Bool("update", false, "write the golden files anew")

// Fixes runs an analyzer over a package of the caller's testdata, applies its
// fixes, and holds the result against the golden file and the compiler.
func Fixes(t *testing.T, a *analysis.Analyzer, pkg string) {
	t.Helper()
	dir := Dir(t)
	file := filepath.Join("src", pkg, filepath.Base(pkg)+".go")
	golden := filepath.Join("testdata", file+".golden")
	before, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	fixed := apply(t, before, analysistest.Run(t, dir, a, pkg), filepath.Base(file))
	if *update {
		if err := os.WriteFile(golden, fixed, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != string(fixed) {
		t.Errorf("%s: the fixed file is not the golden one:\n%s", file, fixed)
	}
	if err := os.WriteFile(filepath.Join(dir, file), fixed, 0o644); err != nil {
		t.Fatal(err)
	}
	compile(t, dir, pkg)
}

// apply makes the first fix of each diagnostic.
func apply(t *testing.T, text []byte, results []*analysistest.Result, base string) []byte {
	t.Helper()
	type edit struct {
		from, to int
		text     []byte
	}
	var edits []edit
	for _, r := range results {
		for _, d := range r.Diagnostics {
			if len(d.SuggestedFixes) == 0 {
				continue
			}
			for _, e := range d.SuggestedFixes[0].TextEdits {
				f := r.Pass.Fset.File(e.Pos)
				if filepath.Base(f.Name()) == base {
					edits = append(edits, edit{f.Offset(e.Pos), f.Offset(e.End), e.NewText})
				}
			}
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(b.from, a.from) })
	if len(edits) == 0 {
		t.Error("nothing was fixed")
	}
	for _, e := range edits {
		text = slices.Concat(text[:e.from], e.text, text[e.to:])
	}
	out, err := format.Source(text)
	if err != nil {
		t.Fatalf("the fixed file is no Go: %v\n%s", err, text)
	}
	return out
}

// compile checks that a package has no errors.
func compile(t *testing.T, dir, pkg string) {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.LoadSyntax, Dir: dir,
		Env: append(os.Environ(), "GOPATH="+dir, "GO111MODULE=off", "GOPROXY=off", "GOWORK=off"),
	}, pkg)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range loaded {
		for _, e := range p.Errors {
			t.Errorf("the fixed code does not compile: %v", e)
		}
	}
}
