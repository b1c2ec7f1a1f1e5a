package rules_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/python"
	"github.com/trainvet/trainvet/analyzers/python/fixture"
)

// TestTrees runs one rule over a tree of several files: testdata/trees/TV201 for
// the flow of a fault through modules, TV201-name for another case.
func TestTrees(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob("testdata/trees/*")
	require.NoError(t, err)
	for _, dir := range dirs {
		root, err := filepath.Abs(dir)
		require.NoError(t, err)
		rule, _, _ := strings.Cut(filepath.Base(dir), "-")
		files, err := filepath.Glob(filepath.Join(root, "*"))
		require.NoError(t, err)
		// A folder that is called testdata holds tests, so each file is named from
		// its own root.
		res, err := python.Scan(context.Background(), python.Options{Root: root, Files: files, Rules: func(code string) bool { return code == rule }})
		require.NoError(t, err)
		said := map[string][]fixture.Got{}
		for _, f := range res.Findings {
			text := f.Code + ": " + f.Message
			for _, r := range f.Related {
				text += " | " + filepath.Base(r.At.File) + ": " + r.Message
			}
			said[f.At.File] = append(said[f.At.File], fixture.Got{Line: f.At.Line, Text: text})
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			fixture.Run(t, dir, func(_ *testing.T, file string, _ []byte) []fixture.Got { return said[filepath.Base(file)] })
		})
	}
}
