package sites

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// BenchmarkFind is what the filter, the parser, the bindings and the rules cost
// together, one goroutine, over a tree that is not here: TRAINVET_TREE names it.
func BenchmarkFind(b *testing.B) {
	dir := os.Getenv("TRAINVET_TREE")
	if dir == "" {
		b.Skip("TRAINVET_TREE is not set: it names a tree of Python")
	}
	var files [][]byte
	size := 0
	require.NoError(b, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !strings.HasSuffix(path, ".py") {
			return err
		}
		src, err := os.ReadFile(path)
		files, size = append(files, src), size+len(src)
		return err
	}))
	b.SetBytes(int64(size))
	filter, finder := NewFilter(), NewFinder()
	var parser syntax.Parser
	var table names.Table
	for b.Loop() {
		for _, src := range files {
			if filter.Match(src) {
				file := parser.Parse(src)
				table.Build(&file.Tree)
				finder.Find(&file.Tree, &table)
			}
		}
	}
}
