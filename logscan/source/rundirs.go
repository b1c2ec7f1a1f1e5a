package source

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Where each rank or node of a job has a trainvet of its own, the job has a run
// directory for each. Their manifests tell which belong together: the same
// command in the same world under the same launcher, begun within minutes, and
// no rank twice.

// runDir is a run directory, and what its manifest says of its job.
type runDir struct {
	path  string
	world int
	rank  *int
	host  string
	wall  int64
	key   string // what all parts of a job have in common
	job   bool   // it is one part of several, as far as a manifest tells
}

const (
	maxManifest = 1 << 20
	runLog      = "run.log"
	// apart is how far the parts of one job may begin from each other.
	apart = int64(15 * 60 * 1e9)
)

// jobVars tell jobs apart that run the same command at the same time.
var jobVars = []string{"SLURM_JOB_ID", "SLURM_JOBID", "PBS_JOBID", "LSB_JOBID", "TORCHELASTIC_RUN_ID", "MASTER_ADDR", "MASTER_PORT", "KUBERNETES_POD_UID"}

// readRunDir reads a manifest as far as it tells of the job. One that makes no
// sense is of a job of its own; package rundir says what is wrong with it.
func readRunDir(path string) runDir {
	d := runDir{path: path}
	f, err := os.Open(filepath.Join(path, manifestName))
	if err != nil {
		return d
	}
	defer f.Close()
	var m struct {
		Argv     []string `json:"argv"`
		Wall     int64    `json:"wall"`
		World    int      `json:"world"`
		Rank     *int     `json:"rank"`
		Launcher string   `json:"launcher"`
		Host     struct {
			Name string `json:"name"`
		} `json:"host"`
		Env []struct{ Name, Value string } `json:"env"`
	}
	text, err := io.ReadAll(io.LimitReader(f, maxManifest))
	if err != nil || json.Unmarshal(text, &m) != nil {
		return d
	}
	d.world, d.rank, d.host, d.wall = m.World, m.Rank, m.Host.Name, m.Wall
	d.job = m.World > 1
	d.key = fmt.Sprintf("%d\x00%s\x00%s", m.World, m.Launcher, strings.Join(m.Argv, "\x00"))
	for _, v := range m.Env {
		if slices.Contains(jobVars, v.Name) {
			d.key, d.job = d.key+"\x00"+v.Name+"="+v.Value, true
		}
	}
	return d
}

// sameJob reports whether d may be a further part of a job.
func (d *runDir) sameJob(parts []runDir) bool {
	first := &parts[0]
	if !d.job || d.key != first.key || d.wall-first.wall > apart {
		return false
	}
	return !slices.ContainsFunc(parts, func(p runDir) bool {
		if d.rank == nil || p.rank == nil { // a run a node
			return d.rank != p.rank || d.host == p.host
		}
		return *d.rank == *p.rank
	})
}

// joinRuns names for each run directory the first one of its job.
func joinRuns(dirs []runDir) map[string]string {
	dirs = slices.Clone(dirs)
	slices.SortStableFunc(dirs, func(a, b runDir) int {
		return cmp.Or(cmp.Compare(a.wall, b.wall), cmp.Compare(a.path, b.path))
	})
	var jobs [][]runDir
	for _, d := range dirs {
		placed := false
		for i := len(jobs) - 1; i >= 0 && !placed; i-- { // a job that was started again comes later
			if d.sameJob(jobs[i]) {
				jobs[i], placed = append(jobs[i], d), true
			}
		}
		if !placed {
			jobs = append(jobs, []runDir{d})
		}
	}
	names := map[string]string{}
	for _, parts := range jobs {
		first := slices.MinFunc(parts, func(a, b runDir) int { return cmp.Compare(a.path, b.path) })
		for _, d := range parts {
			names[d.path] = first.path
		}
	}
	return names
}

// known takes rank and host of a captured log from its manifest.
func (e *expander) known(f *found) {
	if f.runOf == "" || filepath.Base(f.Path) != runLog {
		return
	}
	i := slices.IndexFunc(e.runDirs, func(d runDir) bool { return d.path == f.runOf })
	if i < 0 || !e.runDirs[i].job {
		return
	}
	d := &e.runDirs[i]
	f.Rank, f.Host = d.rank, d.host
}
