package source

import (
	"cmp"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A job is told by strong signs only, since two files that belong together and
// are taken for two jobs stop the audit, and two jobs that are taken for one
// spoil it: a run directory, a scheduler's job number, a tracker's run folder,
// or a home folder. The home is the folder around a source with what is known
// to be structure below a run left out (checkpoint-500, logs, rank0, events).
// Two homes side by side are two jobs when both have what one job has once: a
// console log, a trainer state, a table of the same name.

// structure are folder names below a run.
var structure = regexp.MustCompile(`^(?:checkpoint[-_]?\w*|checkpoints?|ckpts?|epoch[-_]?\d+|step[-_]?\d+|` +
	`logs?|log_dir|logging|console|output_?logs?|stdout|stderr|std|files|metrics|params|tags|artifacts|media|` +
	`runs|tensorboard\w*|tb\w*|events?|summar(?:y|ies)|lightning_logs|csv_?logs?|tblogs?|vis_data|wandb|mlruns|mlflow|` +
	`results?|eval\w*|test\w*|val|validation|valid|train|training|predictions?|samples?|outputs?|models?|` +
	`attempt_\d+|(?:global_)?rank[-_]?\d+|(?:worker|node|host|gpu|master|proc|task|nid|dgx|machine)[-_]?\d[\w.-]*|` +
	`[a-z]{3}\d\d_\d\d-\d\d-\d\d_.*|tmp\w*|system|kernel|dmesg|hardware|monitor\w*)$`)

var (
	// trackerRun finds the run folder of a tracker.
	trackerRun = regexp.MustCompile(`(?:^|/)(?:mlruns/\d+/(?P<mlflow>[0-9a-f]{32})|(?P<lightning>version_\d+))/`)
	// wandbRun: runs that start within minutes are the ranks of one job.
	wandbRun = regexp.MustCompile(`(?:^|/)(?:offline-)?run-(\d{8}_\d{6})-(\w+)/`)
	// launcherRank is the folder of a process below torchrun's attempt.
	launcherRank = regexp.MustCompile(`/attempt_\d+/\d+$`)
)

// homeOf is the folder of the run that a source lies in.
func homeOf(rel string) string {
	cut := path.Dir(rel)
	cut = cut[:len(launcherRank.ReplaceAllString(lower(cut), ""))]
	if i := strings.Index(lower(cut)+"/", "wandb/"); i == 0 || i > 0 && cut[i-1] == '/' {
		cut = cut[:i]
	}
	parts := strings.Split(strings.Trim(cut, "/"), "/")
	for len(parts) > 0 && (parts[len(parts)-1] == "." || structure.MatchString(strings.ToLower(parts[len(parts)-1]))) {
		parts = parts[:len(parts)-1]
	}
	return strings.Join(parts, "/")
}

// lower is strings.ToLower for letters of ASCII alone: each byte stays at its
// place, in names that are no UTF-8 too.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// once is what one job has one of; "": the source says nothing about jobs.
func (f *found) once() string {
	switch f.Kind {
	case Console:
		if f.Rank != nil || f.Host != "" {
			return ""
		}
		return "console " + f.Stream
	case TrainerState:
		return "state"
	case HFResults, CSV, JSONL, WandbSummary:
		return string(f.Kind) + " " + path.Base(f.rel)
	}
	return ""
}

// signs are the strong signs of one source, by type; those of different types
// do not contradict each other.
func (f *found) signs() map[string]string {
	var s map[string]string // most sources have none
	set := func(kind, value string) {
		if s == nil {
			s = map[string]string{}
		}
		s[kind] = value
	}
	if f.runOf != "" {
		set("run", filepath.ToSlash(f.runs))
	}
	if f.job != "" {
		set("scheduler", f.job)
	}
	if m := trackerRun.FindStringSubmatch(f.rel); m != nil {
		for i, name := range trackerRun.SubexpNames() {
			if name != "" && m[i] != "" {
				set(name, m[i])
			}
		}
	}
	return s
}

// job is one job of a folder.
type job struct {
	name    string
	members []int // in expander.found
}

// jobsOf parts the sources of one root.
func (e *expander) jobsOf(root string, members []int) []job {
	homes := e.conflicting(members)
	if len(homes) < 2 {
		return e.bySign(job{root, members})
	}
	slices.Sort(homes)
	parts := make([]job, len(homes))
	for i, h := range homes {
		parts[i].name = path.Join(filepath.ToSlash(root), h)
	}
	for _, m := range members {
		placed := false
		for i, h := range homes {
			if within(e.found[m].home, h) {
				parts[i].members = append(parts[i].members, m)
				placed = true
				break
			}
		}
		for i := range parts { // above them all, or beside: of the machine, or of a launcher
			if !placed {
				parts[i].members = append(parts[i].members, m)
			}
		}
	}
	var jobs []job
	for _, p := range parts {
		jobs = append(jobs, e.bySign(p)...)
	}
	return jobs
}

// within says whether a folder is home or lies below it.
func within(dir, home string) bool {
	return home == "" || dir == home || strings.HasPrefix(dir, home+"/")
}

// conflicting returns the homes that have something twice between them.
func (e *expander) conflicting(members []int) []string {
	having := map[string][]string{} // what one job has once -> homes
	for _, m := range members {
		f := &e.found[m]
		if o := f.once(); o != "" && !slices.Contains(having[o], f.home) {
			having[o] = append(having[o], f.home)
		}
	}
	in := map[string]bool{}
	for _, homes := range having {
		slices.Sort(homes)
		for i, h := range homes {
			for _, other := range homes[:i] { // sorted: a folder comes before what lies below it
				if !within(h, other) {
					in[h], in[other] = true, true
				}
			}
		}
	}
	var homes []string
	for h := range in {
		if h != "" && !e.holdsOther(h, in) {
			homes = append(homes, h)
		}
	}
	return homes
}

// holdsOther: a folder of jobs is no job.
func (e *expander) holdsOther(home string, in map[string]bool) bool {
	for other := range in {
		if other != home && within(other, home) {
			return true
		}
	}
	return false
}

// bySign parts a job further where its sources carry different signs of one
// type. What carries none is judged on its own, but what the machine says
// belongs to all.
func (e *expander) bySign(whole job) []job {
	signs := make([]map[string]string, len(whole.members))
	for i, m := range whole.members {
		signs[i] = e.found[m].signs()
	}
	for _, kind := range [...]string{"run", "scheduler", "mlflow", "lightning", "wandb"} {
		values := e.signValues(kind, whole.members, signs)
		parts := map[string][]int{}
		var shared, rest []int
		for _, m := range whole.members {
			switch v := values[m]; {
			case v != "":
				parts[v] = append(parts[v], m)
			case e.found[m].Kind == Kernel || e.found[m].Kind == Slurm:
				shared = append(shared, m)
			default:
				rest = append(rest, m)
			}
		}
		if len(parts) < 2 {
			continue
		}
		var jobs []job
		for v, members := range parts {
			jobs = append(jobs, job{path.Join(filepath.ToSlash(whole.name)) + "#" + v, append(members, shared...)})
		}
		if len(rest) > 0 {
			jobs = append(jobs, job{path.Join(filepath.ToSlash(whole.name)), append(rest, shared...)})
		}
		slices.SortFunc(jobs, func(a, b job) int { return cmp.Compare(a.name, b.name) })
		return jobs
	}
	return []job{whole}
}

// signValues is each member's sign of one type.
func (e *expander) signValues(kind string, members []int, signs []map[string]string) map[int]string {
	values := map[int]string{}
	if kind != "wandb" {
		for i, m := range members {
			if v := signs[i][kind]; v != "" {
				values[m] = v
			}
		}
		return values
	}
	type run struct {
		at, id string
		m      int
	}
	var runs []run
	for _, m := range members {
		if g := wandbRun.FindStringSubmatch(e.found[m].rel); g != nil {
			runs = append(runs, run{g[1], g[2], m})
		}
	}
	slices.SortFunc(runs, func(a, b run) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.m, b.m)) })
	owner := map[string]string{} // run id -> name of its job
	last, current := "", ""
	for _, r := range runs {
		switch {
		case owner[r.id] != "":
			current = owner[r.id]
		case current == "" || !minutesApart(last, r.at):
			current = r.id
		}
		owner[r.id], last = current, r.at
		values[r.m] = current
	}
	return values
}

// minutesApart says whether two stamps of run folders (20260102_101112) lie
// within ten minutes of each other, as the processes of one job start.
func minutesApart(a, b string) bool {
	const layout = "20060102_150405"
	x, err1 := time.Parse(layout, a)
	y, err2 := time.Parse(layout, b)
	return err1 == nil && err2 == nil && y.Sub(x).Abs() <= 10*time.Minute
}
