//go:build unix

package supervise

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func env(kv ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(kv); i += 2 {
			if kv[i] == name {
				return kv[i+1]
			}
		}
		return ""
	}
}

func TestSurroundings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		env       func(string) string
		rank      int // -1: none
		world     int
		launcher  string
		scheduler string
	}{
		{"a person", env("HOME", "/home/ada"), -1, 0, "", ""},
		{"torchrun", env("RANK", "3", "WORLD_SIZE", "8", "LOCAL_RANK", "1"), 3, 8, "torchrun", ""},
		{"srun", env("SLURM_JOB_ID", "1", "SLURM_PROCID", "0", "SLURM_NTASKS", "2"), 0, 2, "slurm", "slurm"},
		{"sbatch", env("SLURM_JOB_ID", "1"), -1, 0, "slurm", "slurm"},
		{"mpirun", env("OMPI_COMM_WORLD_RANK", "1", "OMPI_COMM_WORLD_SIZE", "4"), 1, 4, "openmpi", ""},
		{"mpich", env("PMI_RANK", "1", "PMI_SIZE", "4"), 1, 4, "mpich", ""},
		{"torchrun in a pod", env("KUBERNETES_SERVICE_HOST", "10.0.0.1", "RANK", "0", "WORLD_SIZE", "2"), 0, 2, "torchrun", "kubernetes"},
		{"a rank that is none", env("RANK", "first"), -1, 0, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := look(tt.env)
			rank := -1
			if got.rank != nil {
				rank = *got.rank
			}
			require.Equal(t, []any{tt.rank, tt.world, tt.launcher, tt.scheduler}, []any{rank, got.world, got.launcher, got.scheduler})
		})
	}
}

func TestWhatIsPython(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"python", "/usr/bin/python3", "python3.12", "python3.13t", "pypy3", "torchrun", "/opt/bin/accelerate", "deepspeed"} {
		require.True(t, isPython(name, ""), name)
	}
	for _, line := range []string{"#!/usr/bin/python3", "#!/usr/bin/env python", "#! /opt/venv/bin/python3.11 -u"} {
		require.True(t, isPython("train", line), line)
	}
	for _, name := range []string{"bash", "train", "pythonic", "monty-python", "srun"} {
		require.False(t, isPython(name, "#!/bin/sh"), name)
	}
	for _, argv := range [][]string{{"python", "-I", "x.py"}, {"python", "-uE", "x.py"}, {"python", "-S", "-c", "pass"}} {
		require.True(t, blind(argv), argv)
	}
	for _, argv := range [][]string{{"python", "x.py", "-E"}, {"python", "-u", "x.py"}, {"python", "-c", "-E"}, {"python"}, {"torchrun", "--standalone", "x.py"}} {
		require.False(t, blind(argv), argv)
	}
}

func TestLaunchersThatCollect(t *testing.T) {
	t.Parallel()
	for _, argv := range [][]string{{"srun", "-n2", "python", "t.py"}, {"/usr/bin/mpirun", "python"}} {
		_, ok := spreads(argv)
		require.True(t, ok, argv)
	}
	for _, argv := range [][]string{{"python", "srun"}, {"torchrun", "t.py"}} {
		_, ok := spreads(argv)
		require.False(t, ok, argv)
	}
}

func TestFolderOfWorkersLogs(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"torchrun --nproc_per_node 2 --log-dir L --redirects 3 t.py": "L",
		"/opt/bin/torchrun --log_dir=L t.py":                         "L",
		"python -m torch.distributed.run --log-dir /x/L t.py":        "/x/L",
		"accelerate launch --log_dir L t.py":                         "L",
		"torchrun t.py --log-dir mine":                               "",
		"torchrun --nproc_per_node 2 t.py":                           "",
		"python t.py --log-dir mine":                                 "",
		"python t.py torchrun --log-dir mine":                        "",
		"torchrun --log-dir":                                         "",
	} {
		require.Equal(t, want, logFolder(strings.Fields(line)), line)
	}
}
