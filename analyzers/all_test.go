package analyzers

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/golang/checks"
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

// TestChecksAreAskedInTurn: what checks found out so far is not guarded by a
// lock, so of two analyzers that ask it one must run before the other.
func TestChecksAreAskedInTurn(t *testing.T) {
	t.Parallel()
	var requires func(a, b *analysis.Analyzer) bool
	requires = func(a, b *analysis.Analyzer) bool {
		return slices.ContainsFunc(a.Requires, func(r *analysis.Analyzer) bool { return r == b || requires(r, b) })
	}
	seen := map[*analysis.Analyzer]bool{}
	var asking []*analysis.Analyzer
	var visit func(a *analysis.Analyzer)
	visit = func(a *analysis.Analyzer) {
		if seen[a] {
			return
		}
		seen[a] = true
		if slices.Contains(a.Requires, checks.Analyzer) {
			asking = append(asking, a)
		}
		for _, r := range a.Requires {
			visit(r)
		}
	}
	for _, a := range All() {
		visit(a)
	}
	require.GreaterOrEqual(t, len(asking), 2)
	for i, a := range asking {
		for _, b := range asking[:i] {
			require.True(t, requires(a, b) || requires(b, a), "%s and %s run at the same time", a.Name, b.Name)
		}
	}
}
