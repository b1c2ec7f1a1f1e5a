package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/site"
)

// TestNearestLoaders holds that a dataset is judged by the loaders of its own
// project, and by those of the whole tree only where that has none.
func TestNearestLoaders(t *testing.T) {
	t.Parallel()
	dataset := func(file string) Note {
		return Note{file, site.Finding{At: site.Position{File: file}}}
	}
	notes := []Note{
		{"a/src/train.py", loadersHere{workers: false}}, dataset("a/src/data.py"), // loads in its own process
		{"b/train.py", loadersHere{workers: true}}, dataset("b/lib/data.py"),
		{"b/lib/old/demo.py", loadersHere{workers: true}},
		dataset("c/data.py"), // a library: the tree has loaders with workers
	}
	rule := tv712()
	j := Joined{rule: &rule}
	withWorkers(notes, &j)
	var files []string
	for _, f := range j.out {
		files = append(files, f.At.File)
	}
	require.Equal(t, []string{"b/lib/data.py", "c/data.py"}, files)

	j.out = nil
	withWorkers([]Note{dataset("data.py"), {"train.py", loadersHere{workers: false}}}, &j)
	require.Empty(t, j.out)
}
