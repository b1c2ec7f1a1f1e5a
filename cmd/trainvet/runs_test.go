package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRunReports holds what the user reads about each recorded run of
// testdata/runs: the report, with paths as they are named there.
func TestRunReports(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/runs/*/run")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(paths), 35)
	for _, path := range paths {
		dir, err := filepath.Abs(filepath.Dir(path))
		require.NoError(t, err)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Chdir(dir)
			_, got := auditOf(t, "run")
			if *update {
				require.NoError(t, os.WriteFile("report.txt", []byte(got), 0o644))
			}
			want, err := os.ReadFile("report.txt")
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}
