package rules

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFixedRuns applies the fixes of programs that fail without them, and runs
// both. Needs python3, and nothing but its standard library: torch is the
// stand-in beside the programs.
func TestFixedRuns(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3: fixes are parsed, not run")
	}
	files, err := filepath.Glob("testdata/runs/TV*.py")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	stand, err := filepath.Abs("testdata/runs")
	require.NoError(t, err)
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			run := func(text []byte) ([]byte, error) {
				at := filepath.Join(t.TempDir(), "program.py")
				require.NoError(t, os.WriteFile(at, text, 0o644))
				cmd := exec.Command(python, "-B", at)
				cmd.Env = append(os.Environ(), "PYTHONPATH="+stand)
				return cmd.CombinedOutput()
			}
			_, err = run(text)
			require.Error(t, err, "it must fail without the fix")
			found := check(t, only(filepath.Base(name)[:len("TV000")]), name, text)
			require.Len(t, found, 1)
			require.NotEmpty(t, found[0].Fixes)
			fixed := apply(text, found[0].Fixes[0].Edits)
			out, err := run(fixed)
			require.NoError(t, err, "%s\n%s", fixed, out)
		})
	}
}
