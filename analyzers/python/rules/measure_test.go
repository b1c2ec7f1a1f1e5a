package rules_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/python"
	"github.com/trainvet/trainvet/analyzers/rules"
	"github.com/trainvet/trainvet/analyzers/site"
)

var (
	repos  = flag.String("repos", "", "repositories for TestMeasure, as a pattern")
	codes  = flag.String("codes", "TV", "codes or prefixes that TestMeasure runs, with commas; core: those of this tier")
	around = flag.Int("context", 0, "lines around each hit that TestMeasure prints")
)

// TestMeasure prints what the rules say of each repository, so that
// it can be read and judged:
//
//	go test ./analyzers/python/rules -run Measure -v -args -repos "DIR/*" -codes TV201,TV3
func TestMeasure(t *testing.T) {
	if *repos == "" {
		t.Skip("no -repos")
	}
	list, err := filepath.Glob(*repos)
	require.NoError(t, err)
	total := map[string]int{}
	for _, dir := range list {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		res, err := python.Scan(context.Background(), python.Options{Root: dir, Folders: []string{dir}, Rules: func(code string) bool {
			if *codes == "core" {
				r, ok := rules.Find(code)
				return ok && r.TierFor("py") == site.Core
			}
			return slices.ContainsFunc(strings.Split(*codes, ","), func(p string) bool { return strings.HasPrefix(code, p) })
		}})
		require.NoError(t, err)
		fmt.Printf("# %s: %d of %d files parsed\n", filepath.Base(dir), res.Stats.Parsed, res.Stats.Files)
		for _, f := range res.Findings {
			total[f.Code]++
			show(filepath.Base(dir), dir, f)
		}
	}
	for _, code := range slices.Sorted(func(yield func(string) bool) {
		for c := range total {
			if !yield(c) {
				return
			}
		}
	}) {
		fmt.Printf("%s: %d hits\n", code, total[code])
	}
}

func show(repo, dir string, f site.Finding) {
	fmt.Printf("%s %s/%s:%d: %s: %s\n", f.Code, repo, f.At.File, f.At.Line, f.Severity, f.Message)
	for _, r := range f.Related {
		fmt.Printf("    %s:%d: %s\n", r.At.File, r.At.Line, r.Message)
	}
	if *around == 0 || f.At.Cell > 0 {
		return
	}
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.At.File)))
	if err != nil {
		return
	}
	lines := strings.Split(string(text), "\n")
	for i := max(0, f.At.Line-1-*around); i < min(len(lines), f.At.Line+*around); i++ {
		fmt.Printf("    %5d %s\n", i+1, lines[i])
	}
}
