package rules

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/fixture"
	"github.com/trainvet/trainvet/analyzers/python/guarded"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/sites"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// check runs rules over the text of one file.
func check(t *testing.T, set *Set, name string, text []byte) []site.Finding {
	t.Helper()
	file := syntax.Parse(text)
	require.True(t, file.Valid(), "%s: %v", name, file.Errors)
	var table names.Table
	table.Build(&file.Tree)
	found := sites.NewFinder().Find(&file.Tree, &table)
	judge := guarded.New()
	judge.Reset(&file.Tree, &table)
	var states []guarded.State
	for i := range found.Sites {
		states = append(states, judge.State(&found.Sites[i]))
	}
	words := set.Look(text, false, true)
	r := NewRunner(set)
	r.Saw(&words, false)
	if words.Any() {
		r.Run(&Source{
			Name: name, Tree: &file.Tree, Names: &table, View: calls.NewFile(name, &file.Tree, &table), Sites: found.Sites, States: states, Editable: true,
			Position: func(offset int) site.Position {
				p := file.Position(offset)
				return site.Position{File: name, Line: p.Line, Column: p.Column + 1}
			},
			SiteOf:    func(syntax.Node) (string, site.Shape) { return name + "::f::call", "01234567" },
			HandlerOf: func(syntax.Node, string) (string, site.Shape) { return name + "::f::except", "01234567" },
		}, words)
	}
	return set.Join(r)
}

// only makes the set of one rule, of whatever tier.
func only(code string) *Set { return NewSet(All(), func(c string) bool { return c == code }) }

// TestFixtures runs each rule over the files of its folder: testdata/TV201.
func TestFixtures(t *testing.T) {
	t.Parallel()
	for _, rule := range All() {
		t.Run(rule.Code, func(t *testing.T) {
			t.Parallel()
			set := only(rule.Code)
			fixture.Run(t, filepath.Join("testdata", rule.Code), func(t *testing.T, file string, src []byte) []fixture.Got {
				var out []fixture.Got
				for _, f := range check(t, set, file, src) {
					out = append(out, fixture.Got{Line: f.At.Line, Text: f.Code + ": " + f.Message})
				}
				return out
			})
		})
	}
}

// TestHealthy holds that no rule of any tier says anything of trainers that are
// right.
func TestHealthy(t *testing.T) {
	t.Parallel()
	set := NewSet(All(), func(string) bool { return true })
	err := filepath.WalkDir("testdata/healthy", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".py") {
			return err
		}
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, f := range check(t, set, name, text) {
			t.Errorf("%s:%d: %s: %s", name, f.At.Line, f.Code, f.Message)
		}
		return nil
	})
	require.NoError(t, err)
}

// TestFixes applies every fix of every fixture and holds that what comes out is
// Python, and that the finding which a safe one mends is gone.
func TestFixes(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/TV*/*.py")
	require.NoError(t, err)
	for _, name := range files {
		set := only(filepath.Base(filepath.Dir(name)))
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		before := check(t, set, name, text)
		for _, f := range before {
			for _, fix := range f.Fixes {
				after := apply(text, fix.Edits)
				require.True(t, syntax.Parse(after).Valid(), "%s:%d: the fix %q makes no Python:\n%s", name, f.At.Line, fix.Message, after)
				require.Less(t, len(check(t, set, name, after)), len(before), "%s:%d: the fix %q mends nothing", name, f.At.Line, fix.Message)
			}
		}
	}
}

// apply makes edits, which do not overlap.
func apply(text []byte, edits []site.Edit) []byte {
	out := string(text)
	for i := len(edits) - 1; i >= 0; i-- {
		e := edits[i]
		out = out[:e.Start] + e.New + out[e.End:]
	}
	return []byte(out)
}

func TestProfiles(t *testing.T) {
	t.Parallel()
	_, err := readSigns(profileRows)
	require.NoError(t, err)
	_, err = readSigns("ray\tmodule\tray")
	require.Error(t, err)
}
