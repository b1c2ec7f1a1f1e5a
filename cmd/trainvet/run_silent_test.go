package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/rundir"
)

// TestSilentProcessAndItsTwins: a process that loads the framework and says
// nothing is named, and no value of the run is TRUSTED. Workers, children with
// guards, and programs that only read the library are none.
func TestSilentProcessAndItsTwins(t *testing.T) {
	python := torch(t)
	tool, err := exec.LookPath("trainvet")
	require.NoError(t, err)
	script, err := filepath.Abs("testdata/silent/train.py")
	require.NoError(t, err)
	for _, way := range []string{"isolated", "alone", "workers", "guarded", "spawned", "reader", "replaced"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			run := &scenarioRun{t: t, tool: tool, dir: filepath.Join(t.TempDir(), "run")}
			command := []string{python, script, way}
			if way == "replaced" { // nobody sees in the command that it is Python's
				command = append([]string{"sh", "-c", `PYTHONPATH=/nowhere exec "$0" "$@"`}, command...)
			}
			run.start([]string{"--fail-on", "never"}, command...)
			d, err := rundir.Read(run.dir)
			require.NoError(t, err)
			got := d.Evidence()
			if way == "isolated" {
				require.Len(t, got.Silent, 1)
				require.Contains(t, got.Silent[0], "-I "+script+" child), which loaded torch")
				run.judge("eval_loss", expectation{Verdict: "UNPROVEN"})
				return
			}
			require.Empty(t, got.Silent)
			if way == "replaced" { // captured is all that its claims can be; why, is said
				require.Len(t, got.Unheard, 1)
				require.Contains(t, got.Unheard[0], script+" replaced), which loaded torch")
				return
			}
			require.Empty(t, got.Unheard)
			run.judge("eval_loss", expectation{Verdict: "TRUSTED"})
		})
	}
}
