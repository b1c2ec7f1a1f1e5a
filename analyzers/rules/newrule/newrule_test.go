package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/rules"
)

const repository = "../../.."

// TestScaffold makes a rule beside the repository, lays it over it, and holds
// that it compiles and that its test fails: nobody takes it for a written one.
func TestScaffold(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs(repository)
	require.NoError(t, err)
	aside := t.TempDir()
	all, err := os.ReadFile(filepath.Join(root, "analyzers", "all.go"))
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(aside, "analyzers"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(aside, "analyzers", "all.go"), all, 0o644))
	written, err := scaffold(aside, "TV999", "made-for-a-test")
	require.NoError(t, err)
	require.Len(t, written, 5)

	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for _, name := range written {
		if strings.HasSuffix(name, ".go") && !strings.Contains(name, "testdata") {
			overlay.Replace[filepath.Join(root, name)] = filepath.Join(aside, name)
		}
	}
	text, err := json.Marshal(overlay)
	require.NoError(t, err)
	list := filepath.Join(aside, "overlay.json")
	require.NoError(t, os.WriteFile(list, text, 0o644))

	goTool := func(dir string, args ...string) (string, error) {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := goTool(root, "build", "-overlay", list, "./analyzers", "./analyzers/golang/madeforatest")
	require.NoError(t, err, out)
	out, err = goTool(root, "test", "-c", "-vet=off", "-overlay", list, "-o", filepath.Join(aside, "made.test"), "./analyzers/golang/madeforatest")
	require.NoError(t, err, out)

	run := exec.Command(filepath.Join(aside, "made.test"))
	run.Dir = filepath.Join(aside, "analyzers", "golang", "madeforatest")
	said, err := run.CombinedOutput()
	require.Error(t, err, "the test of a rule that is not written passes")
	require.Contains(t, string(said), "no diagnostic was reported matching")

	page, err := os.ReadFile(filepath.Join(aside, "analyzers", "rules", "TV999.md"))
	require.NoError(t, err)
	made, err := rules.Parse("TV999.md", string(page))
	require.NoError(t, err)
	require.Contains(t, made.Matters, "TODO", "the tests of package rules refuse it")
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ code, name, want string }{
		{"TV99", "some-name", "is no code"},
		{"TV999", "SomeName", "is no name"},
		{"TV101", "some-name", "is there already"},
		{"TV999", "unguarded-decode", "is there already"},
	} {
		_, err := scaffold(t.TempDir(), tt.code, tt.name)
		require.ErrorContains(t, err, tt.want)
	}
}
