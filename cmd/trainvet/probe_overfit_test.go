package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/probe"
)

// TestOverfitAndItsTwins gives trainers their first samples alone: the sound ones
// learn them, of the others it is said what stood still.
func TestOverfitAndItsTwins(t *testing.T) {
	python := torch(t)
	for way, code := range map[string]string{
		"plain": "", "small": "", "stream": "", "workers": "", "scaler": "", "accumulated": "",
		"rate": "rate-zero", "detached": "no-gradient", "copied": "no-gradient", "shuffled": "stands-at-chance",
		"stepless": "no-step", "logarithm": "not-finite", "rounded": "no-movement", "several": "no-loss", "uncleared": "gradient-used-twice", "smoothed": "not-near-zero",
	} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			script, err := filepath.Abs("testdata/overfit/train.py")
			require.NoError(t, err)
			cmd := exec.Command("trainvet", "probe", "--format", "json", "overfit", "--", python, script, way)
			cmd.Dir = t.TempDir()
			cmd.Env = append(os.Environ(), "TRAINVET_STATE="+t.TempDir(), "CUDA_VISIBLE_DEVICES=", "OMP_NUM_THREADS=1")
			var said strings.Builder
			cmd.Stderr = &said
			out, err := cmd.Output()
			var ended *exec.ExitError
			if errors.As(err, &ended) {
				require.Equal(t, 1, ended.ExitCode(), said.String())
			} else {
				require.NoError(t, err)
			}
			require.Equal(t, code != "", ended != nil, "%s%s", out, said.String())
			var report probe.OverfitReport
			require.NoError(t, json.Unmarshal(out, &report), "%s", out)
			require.Len(t, report.Processes, 1)
			got := report.Processes[0]
			require.Equal(t, code, got.Code, "%+v", got)
			require.NotEqual(t, code == "", got.Text != "", "each finding has its words")
			if code == "no-step" {
				require.Zero(t, got.Steps)
			} else {
				require.Equal(t, probe.OverfitSteps, got.Steps)
				require.NotContains(t, said.String(), "the end of", "the process ends with its last step")
			}
			t.Logf("%.1f s of CPU", (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
			left, err := os.ReadDir(cmd.Dir)
			require.NoError(t, err)
			require.Empty(t, left, "the run is thrown away")
		})
	}
}

// TestBatchCapAndItsTwins: what was asked and what became of it stand in manifest,
// record and log; without the flag nothing is bounded.
func TestBatchCapAndItsTwins(t *testing.T) {
	python := torch(t)
	script, err := filepath.Abs("testdata/batchcap/train.py")
	require.NoError(t, err)
	run := &scenarioRun{t: t, tool: "trainvet", dir: filepath.Join(t.TempDir(), "run")}
	run.start([]string{"--fail-on", "never", "--batch-cap", "8"}, python, script)
	log, err := os.ReadFile(filepath.Join(run.dir, rundir.LogFile))
	require.NoError(t, err)
	require.Contains(t, string(log), "trainvet: batches of 8 instead of 32 (--batch-cap 8)\n")
	require.Contains(t, string(log), "sizes 8 4 8\n")
	d, err := rundir.Read(run.dir)
	require.NoError(t, err)
	require.Equal(t, 8, d.Manifest.BatchCap)
	var texts []string
	for _, f := range d.Evidence().Findings {
		if f.Code == "batch-capped" {
			texts = append(texts, f.Text)
		}
	}
	require.Equal(t, []string{"batches of 8 instead of 32 (--batch-cap 8)"}, texts)
	run.judge("eval_loss", expectation{Verdict: "TRUSTED"})

	twin := &scenarioRun{t: t, tool: "trainvet", dir: filepath.Join(t.TempDir(), "run")}
	twin.start([]string{"--fail-on", "never"}, python, script)
	log, err = os.ReadFile(filepath.Join(twin.dir, rundir.LogFile))
	require.NoError(t, err)
	require.Contains(t, string(log), "sizes 32 4 32\n")
	require.NotContains(t, string(log), "trainvet")
}
