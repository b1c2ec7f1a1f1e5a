package rules

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/guarded"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/sites"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// FuzzRules holds that no text breaks a rule, whatever it lacks, and that what
// is reported and edited lies in the text.
func FuzzRules(f *testing.F) {
	files, _ := filepath.Glob("testdata/TV*/*.py")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, s := range []string{"try:\n f()\nexcept", "if nan == x == nan: pass", "def f(*, a): return f(a)", "class A(A):\n def f(self): self.f()"} {
		f.Add([]byte(s))
	}
	set := NewSet(All(), func(string) bool { return true })
	judge, finder := guarded.New(), sites.NewFinder()
	f.Fuzz(func(t *testing.T, text []byte) {
		file := syntax.Parse(text)
		var table names.Table
		table.Build(&file.Tree)
		found := finder.Find(&file.Tree, &table)
		judge.Reset(&file.Tree, &table)
		var states []guarded.State
		for i := range found.Sites {
			states = append(states, judge.State(&found.Sites[i]))
		}
		look := set.Look(file.Text(), false, true)
		for i := range set.rules {
			look.on[i/64] |= 1 << (i % 64) // whatever the words are
		}
		r := NewRunner(set)
		r.Run(&Source{
			Name: "f.py", Tree: &file.Tree, Names: &table, View: calls.NewFile("f.py", &file.Tree, &table), Sites: found.Sites, States: states, Editable: true,
			Position: func(offset int) site.Position {
				if offset < 0 || offset > len(file.Text()) {
					t.Fatalf("offset %d of %d", offset, len(file.Text()))
				}
				return site.Position{File: "f.py", Line: file.Position(offset).Line}
			},
			SiteOf:    func(syntax.Node) (string, site.Shape) { return "", "" },
			HandlerOf: func(syntax.Node, string) (string, site.Shape) { return "", "" },
		}, look)
		for _, h := range set.Join(r) {
			for _, fix := range h.Fixes {
				for _, e := range fix.Edits {
					if e.Start < 0 || e.End < e.Start || e.End > len(file.Text()) {
						t.Fatalf("%s: an edit of %d to %d of %d", h.Code, e.Start, e.End, len(file.Text()))
					}
				}
			}
		}
	})
}
