package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/probe/bench"
)

// TestTorchBenchIsKept trains a built-in model from its start to the saved file,
// in every arm and turn, and asks the same again: the answer is the one that was
// measured, until somebody wants it anew or asks something else.
func TestTorchBenchIsKept(t *testing.T) {
	python := torch(t)
	dir, state := t.TempDir(), t.TempDir()
	// Whatever else this machine does shall not confound the test.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "trainvet.toml"), []byte("[bench]\ncontrol = 0.9\n"), 0o600))
	ask := func(matrix string) (r bench.Report) {
		t.Helper()
		cmd := exec.Command("trainvet", "bench", "-q", "--json", "--model", "mlp", "--python", python, "--device", "cpu", "--matrix", matrix)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "TRAINVET_STATE="+state, "CUDA_VISIBLE_DEVICES=", "OMP_NUM_THREADS=1")
		out, err := cmd.Output()
		require.NoError(t, err, "%s", out)
		require.NoError(t, json.Unmarshal(out, &r), "%s", out)
		return r
	}
	first := ask("dtype=float32,bfloat16")
	require.Empty(t, first.Cached)
	require.Len(t, first.Arms, 2)
	again := ask("dtype=float32,bfloat16")
	require.NotEmpty(t, again.Cached)
	again.Cached = ""
	require.Equal(t, first.Arms, again.Arms)
	require.Equal(t, first.Decision, again.Decision)
}
