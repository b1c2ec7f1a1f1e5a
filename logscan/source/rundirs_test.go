package source

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func manifestOf(wall int64, world int, rank any, host, env string) string {
	return fmt.Sprintf(`{"trainvet": "0.1", "argv": ["python", "train.py"], "wall": %d, "world": %d, "rank": %v, "host": {"name": %q}, "env": [%s]}`, wall, world, rank, host, env)
}

// TestRunDirectoriesOfOneJob: a folder of runs holds the ranks of one job, or
// several jobs.
func TestRunDirectoriesOfOneJob(t *testing.T) {
	t.Parallel()
	const minute = int64(60e9)
	job := func(n string) string { return `{"name": "SLURM_JOB_ID", "value": "` + n + `"}` }
	for _, tt := range []struct {
		name      string
		manifests []string
		jobs      int
	}{
		{"two ranks", []string{manifestOf(0, 2, 0, "a", ""), manifestOf(minute, 2, 1, "b", "")}, 1},
		{"three ranks", []string{manifestOf(0, 3, 0, "a", ""), manifestOf(0, 3, 2, "a", ""), manifestOf(0, 3, 1, "a", "")}, 1},
		{"a run a node", []string{manifestOf(0, 0, "null", "a", job("7")), manifestOf(0, 0, "null", "b", job("7"))}, 1},
		{"two runs of one process", []string{manifestOf(0, 1, "null", "a", ""), manifestOf(0, 1, "null", "a", "")}, 2},
		{"the same node twice", []string{manifestOf(0, 0, "null", "a", job("7")), manifestOf(minute, 0, "null", "a", job("7"))}, 2},
		{"started again", []string{manifestOf(0, 2, 0, "a", ""), manifestOf(0, 2, 1, "a", ""), manifestOf(minute, 2, 0, "a", ""), manifestOf(minute, 2, 1, "a", "")}, 2},
		{"the next day", []string{manifestOf(0, 2, 0, "a", ""), manifestOf(1440*minute, 2, 1, "a", "")}, 2},
		{"two jobs of a scheduler", []string{manifestOf(0, 2, 0, "a", job("7")), manifestOf(0, 2, 1, "a", job("8"))}, 2},
		{"a manifest without sense", []string{manifestOf(0, 2, 0, "a", ""), `{"trainvet": 1, "world": "two"}`}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{}
			for i, m := range tt.manifests {
				files[fmt.Sprintf("runs/%d/manifest.json", i)] = m
				files[fmt.Sprintf("runs/%d/run.log", i)] = logText
			}
			root := tree(t, files)
			set, err := expand(t, Options{}, filepath.Join(root, "runs"))
			if tt.jobs > 1 {
				var many *ManyJobs
				require.True(t, errors.As(err, &many), "%v", err)
				require.Len(t, many.Jobs, tt.jobs)
				return
			}
			require.NoError(t, err)
			require.Len(t, set.Groups(), 1)
			require.Len(t, set.RunDirs[set.Groups()[0]], len(tt.manifests))
			require.Len(t, set.Inputs, len(tt.manifests))
			seen := map[string]bool{}
			for _, in := range set.Inputs {
				key := in.Host
				if in.Rank != nil {
					key += fmt.Sprint(*in.Rank)
				}
				require.NotEmpty(t, key)
				seen[key] = true
			}
			require.Len(t, seen, len(tt.manifests), "rank and host come from the manifests")
		})
	}
}
