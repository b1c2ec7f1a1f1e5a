//go:build linux

package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// ends: in which ways a process of testdata/ends ends, or what it writes to does; the
// exit code (-1: a signal), and what then is known of the last value that it printed.
var ends = map[string]struct {
	code  int
	level verdict.Level // of a value that is TRUSTED
	why   string        // of what is UNPROVEN
}{
	"killed in a step":    {code: -1, level: verdict.Captured},
	"killed in a write":   {code: -1, why: "level-too-low"},
	"group killed":        {code: -1, level: verdict.Captured},
	"aborted by a thread": {code: -1, level: verdict.Captured},
	"out of memory":       {code: 1, level: verdict.Guarded},
	"left":                {code: 5, level: verdict.Captured},
	"worker leaves":       {code: 1, level: verdict.Guarded},
	"worker killed":       {code: 1, level: verdict.Guarded},
	"record is full":      {why: "level-too-low"},
	"records are gone":    {why: "silent-process"},
	"no standard error":   {level: verdict.Guarded},
	"well":                {level: verdict.Guarded},
}

// TestTorchEnds: however a trainer ends, what it recorded is readable up to there,
// and what it printed is worth what is known of it: no more, no less.
func TestTorchEnds(t *testing.T) {
	t.Parallel()
	python := torch(t)
	script, err := filepath.Abs("testdata/ends/train.py")
	require.NoError(t, err)
	for name, want := range ends {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "run")
			cmd := exec.Command("trainvet", "run", "-q", "--fail-on", "never", "--dir", dir, "--", python, script, name)
			cmd.Env = append(cmd.Environ(), append(knowingNothing(t), "CUDA_VISIBLE_DEVICES=", "OMP_NUM_THREADS=1")...)
			out, err := cmd.CombinedOutput()
			var ended *exec.ExitError
			require.True(t, err == nil || errors.As(err, &ended), "%v", err)
			require.Equal(t, want.code, cmd.ProcessState.ExitCode(), "%s", out)
			d, err := rundir.Read(dir)
			require.NoError(t, err)
			require.True(t, d.Sealed(), "what the trainer did ends the run, and not trainvet")
			res, _, err := logscan.Audit(t.Context(), []string{dir}, nil, logscan.Options{})
			require.NoError(t, err)
			require.Len(t, res.Claims, 1, "%s", out)
			claim := res.Claims[0]
			if want.why != "" {
				require.Equal(t, verdict.Unproven, claim.Verdict)
				require.Equal(t, want.why, claim.Why[0].Code, "%+v", claim.Why)
				return
			}
			require.Equal(t, verdict.Trusted, claim.Verdict, "%+v", claim.Why)
			require.Equal(t, want.level, claim.Level)
		})
	}
}
