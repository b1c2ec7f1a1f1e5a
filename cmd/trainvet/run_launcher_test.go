package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// TestTorchLaunchers: torchrun and accelerate inherit what trainvet gives. With
// --log-dir, workers print past the log: what they printed is read all the same.
func TestTorchLaunchers(t *testing.T) {
	python := torch(t)
	script, err := filepath.Abs("testdata/launcher/train.py")
	require.NoError(t, err)
	torchrun := []string{python, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2"}
	accelerate := []string{python, "-m", "accelerate.commands.launch", "--cpu", "--num_machines", "1", "--mixed_precision", "no", "--dynamo_backend", "no", "--num_processes", "1"}
	logs := func(launcher []string, flags ...string) []string {
		return append(launcher[:len(launcher):len(launcher)], flags...)
	}
	for name, tt := range map[string]struct {
		argv  []string
		want  verdict.Verdict
		level verdict.Level
	}{
		"torchrun":         {logs(torchrun, script), verdict.Trusted, verdict.Guarded},
		"torchrun fault":   {logs(torchrun, script, "fault"), verdict.Poisoned, verdict.Guarded},
		"to files":         {logs(torchrun, "--log-dir", "L", "--redirects", "3", script), verdict.Unproven, verdict.Log},
		"to files, fault":  {logs(torchrun, "--log_dir=L", "--redirects", "3", script, "fault"), verdict.Unproven, verdict.Log},
		"accelerate":       {logs(accelerate, script), verdict.Trusted, verdict.Guarded},
		"accelerate fault": {logs(accelerate, script, "fault"), verdict.Poisoned, verdict.Guarded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.argv[2] == "accelerate.commands.launch" && exec.Command(python, "-c", "import accelerate").Run() != nil {
				t.Skip("no accelerate here")
			}
			dir := filepath.Join(t.TempDir(), "run")
			cmd := exec.Command("trainvet", append([]string{"run", "-q", "--fail-on", "never", "--dir", dir, "--"}, tt.argv...)...)
			cmd.Dir = t.TempDir()
			cmd.Env = append(append(os.Environ(), knowingNothing(t)...), "CUDA_VISIBLE_DEVICES=", "OMP_NUM_THREADS=1")
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, string(out))
			res, _, err := logscan.Audit(t.Context(), []string{dir}, nil, logscan.Options{})
			require.NoError(t, err)
			require.Len(t, res.Claims, 1, "%s", out)
			require.Equal(t, "eval_loss", res.Claims[0].Name)
			require.Equal(t, tt.want, res.Claims[0].Verdict, "%+v", res.Claims[0].Why)
			if tt.want == verdict.Trusted {
				require.Equal(t, tt.level, res.Claims[0].Level)
			}
			if name == "to files, fault" { // which file was written first is not known
				require.Equal(t, "other-rank", res.Claims[0].Why[0].Code)
			}
		})
	}
}

// TestMPI: each task of a real mpirun has a trainvet of its own, and the audit
// joins what they recorded. Around mpirun trainvet says that it belongs inside.
func TestMPI(t *testing.T) {
	python := torch(t)
	mpirun := filepath.Join(filepath.Dir(python), "mpirun")
	if _, err := os.Stat(mpirun); err != nil {
		t.Skip("no mpirun here")
	}
	script, err := filepath.Abs("testdata/launcher/train.py")
	require.NoError(t, err)
	start := func(argv ...string) (dir, out string) {
		dir = t.TempDir()
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Dir = dir
		cmd.Env = append(append(os.Environ(), knowingNothing(t)...), "CUDA_VISIBLE_DEVICES=", "OMP_NUM_THREADS=1",
			"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "PRTE_ALLOW_RUN_AS_ROOT=1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1")
		said, err := cmd.CombinedOutput()
		require.NoError(t, err, string(said))
		return dir, string(said)
	}
	mpi := []string{mpirun, "--oversubscribe", "-n", "2"}
	for word, want := range map[string]verdict.Verdict{"well": verdict.Trusted, "fault": verdict.Unproven} {
		dir, out := start(append(mpi[:len(mpi):len(mpi)], "trainvet", "run", "-q", "--fail-on", "never", "--", python, script, word)...)
		res, _, err := logscan.Audit(t.Context(), []string{filepath.Join(dir, ".trainvet", "runs")}, nil, logscan.Options{})
		require.NoError(t, err)
		require.Len(t, res.Claims, 1, "%s", out)
		require.Equal(t, want, res.Claims[0].Verdict, "%s: %+v", word, res.Claims[0].Why)
		if want == verdict.Trusted {
			require.Equal(t, verdict.Guarded, res.Claims[0].Level)
		}
	}
	_, out := start(append([]string{"trainvet", "run", "--fail-on", "never", "--"}, append(mpi, python, script)...)...)
	require.Contains(t, out, "put trainvet inside, as mpirun trainvet run -- COMMAND")
}
