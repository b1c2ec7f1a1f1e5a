package logscan_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// TestRecordsWithoutCapture: guards that ran without trainvet run around them
// left their records beside a log. What they saw counts; what they did not see
// proves no more than the log does, and needs no capture to be believed.
func TestRecordsWithoutCapture(t *testing.T) {
	t.Parallel()
	for name, at60 := range map[string]verdict.Verdict{
		"healthy":                   verdict.Trusted,
		"nothing checks the decode": verdict.Trusted,
		"fault at the end":          verdict.Poisoned,
		"killed after a fault":      verdict.Poisoned,
		"4 of 60 skipped":           verdict.Degraded,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := recordTrainer(t, name)
			for _, file := range []string{rundir.ManifestFile, rundir.SidecarFile, rundir.TrailerFile} {
				if err := os.Remove(filepath.Join(dir, file)); err != nil {
					require.ErrorIs(t, err, os.ErrNotExist)
				}
			}
			v := valueAt(t, auditGuarded(t, dir), "eval_wer", 60)
			require.Equal(t, at60, v.Verdict, explain(v))
			require.Equal(t, verdict.Log, v.Level, explain(v))
		})
	}
}

// TestRecordsOfAnotherKind: a folder called records is nobody's run directory
// by its name alone.
func TestRecordsOfAnotherKind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "records"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "records", "eval.jsonl"), []byte("{\"step\": 1, \"eval_loss\": 0.5}\n{\"step\": 2, \"eval_loss\": 0.4}\n"), 0o600))
	res := auditGuarded(t, dir)
	v := valueAt(t, res, "eval_loss", 2)
	require.Equal(t, verdict.Trusted, v.Verdict, explain(v))
}
