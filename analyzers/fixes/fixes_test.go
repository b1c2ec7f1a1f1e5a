package fixes

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/site"
)

const source = `package main

import "fmt"

func main() {
	err := fmt.Errorf("inner")
	fmt.Println(fmt.Errorf("outer: %v", err))
	fmt.Println(fmt.Errorf("other: %v", err))
}
`

func place(t *testing.T, files map[string]string) string {
	t.Helper()
	top := t.TempDir()
	for name, text := range files {
		at := filepath.Join(top, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o755))
		require.NoError(t, os.WriteFile(at, []byte(text), 0o644))
		require.NoError(t, os.Chtimes(at, time.Time{}, time.Now().Add(-time.Minute)))
	}
	return top
}

// replace is a fix of one or several texts of a file, each by its first place.
func replace(file, text string, safe bool, pairs ...string) site.Finding {
	fix := site.Fix{Message: "m", Safe: safe}
	for i := 0; i < len(pairs); i += 2 {
		at := strings.Index(text, pairs[i])
		fix.Edits = append(fix.Edits, site.Edit{File: file, Start: at, End: at + len(pairs[i]), New: pairs[i+1]})
	}
	return site.Finding{Code: "TV1", Fixes: []site.Fix{fix}}
}

func TestApply(t *testing.T) {
	t.Parallel()
	top := place(t, map[string]string{"main.go": source})
	list := []site.Finding{
		replace("main.go", source, true, `outer: %v`, `outer: %w`, `import "fmt"`, "import (\n\"errors\"\n\"fmt\"\n)", `err := fmt.Errorf("inner")`, `err := errors.New("inner")`),
		replace("main.go", source, true, `other: %v`, `other: %w`),
		replace("main.go", source, true, `outer: %v", err`, `outer"`), // touches the first
		replace("main.go", source, false, `fmt.Println(`, `panic(`),   // a draft
		{Code: "TV2"}, // has none
	}
	p := Make(list, Options{Root: top, Before: time.Now()})
	require.Empty(t, p.Skipped)
	require.Equal(t, [2]int{2, 1}, [2]int{p.Fixed, p.Waiting})
	require.Contains(t, string(p.Diff()), "--- a/main.go\n+++ b/main.go\n@@")
	require.NoError(t, p.Apply())
	got, err := os.ReadFile(filepath.Join(top, "main.go"))
	require.NoError(t, err)
	require.Contains(t, string(got), "import (\n\t\"errors\"\n\t\"fmt\"\n)")
	out, err := exec.Command("go", "run", filepath.Join(top, "main.go")).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "outer: inner\nother: inner\n", string(out))
	require.ErrorIs(t, p.Apply(), ErrChanged)
}

func TestTheSameImportTwiceIsOne(t *testing.T) {
	t.Parallel()
	top := place(t, map[string]string{"main.go": source})
	add := func(from, to string) site.Finding {
		return replace("main.go", source, true, from, to, `import "fmt"`, "import (\n\t\"errors\"\n\t\"fmt\"\n)")
	}
	p := Make([]site.Finding{add("outer: %v", "outer: %w"), add("other: %v", "other: %w")}, Options{Root: top, Before: time.Now()})
	require.Equal(t, 2, p.Fixed)
	require.Equal(t, 1, strings.Count(string(p.Files[0].New), `"errors"`))
}

func TestLeftAsTheyAre(t *testing.T) {
	t.Parallel()
	top := place(t, map[string]string{"late.go": source, "gen.go": source, "bad.go": source, "short.go": "package p\n", "ugly.go": strings.ReplaceAll(source, "\t", "  ")})
	require.NoError(t, os.Chtimes(filepath.Join(top, "late.go"), time.Time{}, time.Now().Add(time.Hour)))
	var list []site.Finding
	for _, name := range []string{"late.go", "gen.go", "short.go", "gone.go", "/else/where.go"} {
		list = append(list, replace(name, source, true, "outer: %v", "outer: %w"))
	}
	both := replace("bad.go", source, true, "func main", "func func")
	both.Fixes[0].Edits = append(both.Fixes[0].Edits, site.Edit{File: "ugly.go", Start: 0, End: 0, New: "// half of it\n"})
	list = append(list, both, replace("bad.go", source, true, "func main", "func func"), replace("ugly.go", strings.ReplaceAll(source, "\t", "  "), true, "outer: %v", "outer: %w"))
	p := Make(list, Options{Root: top, Before: time.Now(), Generated: func(f string) bool { return f == "gen.go" }})
	why := map[string]string{}
	for _, s := range p.Skipped {
		why[s.File] = s.Why
	}
	for file, want := range map[string]string{
		"late.go": "changed while", "gen.go": "a program wrote it", "short.go": "does not fit", "gone.go": "no such file",
		"/else/where.go": "outside", "bad.go": "not be Go",
	} {
		require.Contains(t, why[file], want, file)
	}
	require.Len(t, p.Skipped, 6)
	require.Equal(t, 1, p.Fixed)
	require.Len(t, p.Files, 1)
	require.Equal(t, strings.ReplaceAll(strings.Replace(source, "outer: %v", "outer: %w", 1), "\t", "  "), string(p.Files[0].New), "a file that was not formatted is not formatted")
}
