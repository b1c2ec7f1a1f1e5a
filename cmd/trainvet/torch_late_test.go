package main

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/guards/record"
)

// lateCases: what is seen, and between which steps it is said to begin; the program
// goes wrong at step 1003. A look that is made ever more seldom comes as late as
// its stride.
var lateCases = []struct {
	name, code string
	from, to   int64
}{
	{"stands", "parameters-stand-still", 1003, 1003 + 256},
	{"nan", "nonfinite-parameter", 1003, 1004},
	{"mode", "trained-in-eval-mode", 1003, 1004},
	{"twice", "gradient-used-twice", 1003, 1005},
	{"unused", "parameters-stand-still", 1002, 1004},
	{"targets", "no-targets", 1003, 1004},
	{"scale", "scale-zero", 1003, 1005},
	{"parts", "optimizer-stale", 0, math.MaxInt64}, // by the clock of its own optimizer
	{"passes", "empty-evaluation", 64, 65},
}

// TestTorchLateIsSeen: a fault that begins after a thousand healthy steps is found as
// one of the first step is.
func TestTorchLateIsSeen(t *testing.T) {
	t.Parallel()
	script, err := filepath.Abs("testdata/late/train.py")
	require.NoError(t, err)
	for _, c := range lateCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			found := findings(t, trainLate(t, script, c.name), c.code)
			require.NotEmpty(t, found)
			require.GreaterOrEqual(t, found[0].From, c.from)
			require.LessOrEqual(t, found[0].From, c.to)
		})
	}
	t.Run("skip", func(t *testing.T) {
		t.Parallel()
		var skipped []int64
		for _, r := range recordsOf(t, trainLate(t, script, "skip")) {
			if s, ok := r.Body.(*record.Skip); ok {
				skipped = append(skipped, s.From, s.Until)
			}
		}
		require.Equal(t, []int64{1003, 1003}, skipped)
	})
	t.Run("healthy", func(t *testing.T) {
		t.Parallel()
		require.Empty(t, findings(t, trainLate(t, script, "none"), ""))
	})
}

func trainLate(t *testing.T, script, name string) string {
	t.Helper()
	run := &scenarioRun{t: t, tool: "trainvet", dir: filepath.Join(t.TempDir(), "run")}
	program := filepath.Join(t.TempDir(), "train.py")
	text, err := os.ReadFile(script)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(program, text, 0o600))
	run.start(nil, torch(t), program, name)
	return run.runDirectory()
}

// findings above a note of one code; of all codes where none is named.
func findings(t *testing.T, dir, code string) (out []*record.Finding) {
	t.Helper()
	for _, r := range recordsOf(t, dir) {
		f, ok := r.Body.(*record.Finding)
		if !ok {
			continue
		}
		require.NotEqual(t, record.Class("hook"), f.Class, f.Text)
		if f.Effect != record.Effect("note") && (code == "" || f.Code == code) {
			out = append(out, f)
		}
	}
	return out
}

func recordsOf(t *testing.T, dir string) (out []*record.Record) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, record.Folder, "*.jsonl"))
	require.NoError(t, err)
	for _, name := range files {
		f, err := os.Open(name)
		require.NoError(t, err)
		for reader := record.NewReader(f); ; {
			e, err := reader.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
			require.Nil(t, e.Issue, name)
			out = append(out, e.Record)
		}
		require.NoError(t, f.Close())
	}
	return out
}
