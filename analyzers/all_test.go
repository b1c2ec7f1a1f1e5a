package analyzers

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
)

// TestEveryAnalyzerRuns: an analyzer that nobody starts finds nothing. Those
// that hand a result to others are started by them.
func TestEveryAnalyzerRuns(t *testing.T) {
	t.Parallel()
	require.NoError(t, analysis.Validate(All()))
	running := map[string]bool{}
	var visit func([]*analysis.Analyzer)
	visit = func(list []*analysis.Analyzer) {
		for _, a := range list {
			running[a.Name] = true
			visit(a.Requires)
		}
	}
	visit(All())
	files, err := filepath.Glob("golang/*/*.go")
	require.NoError(t, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		_, rest, ok := strings.Cut(string(text), "\nvar Analyzer = &analysis.Analyzer{")
		if !ok || strings.HasSuffix(name, "_test.go") {
			continue
		}
		_, rest, ok = strings.Cut(rest, "Name:")
		require.True(t, ok, name)
		quoted := strings.Split(rest, `"`)[1]
		require.True(t, running[quoted], "%s declares %s, and All does not run it", name, quoted)
	}
	names := slices.Collect(func(yield func(string) bool) {
		for _, a := range All() {
			if !yield(a.Name) {
				return
			}
		}
	})
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(names))), len(names))
}
