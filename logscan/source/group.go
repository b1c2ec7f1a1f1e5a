package source

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// finish parts what was found into jobs and builds the set.
func (e *expander) finish() (*Set, error) {
	names := joinRuns(e.runDirs)
	for i := range e.found {
		e.found[i].runs = names[e.found[i].runOf]
	}
	var jobs []job
	roots, members := e.roots()
	for i, root := range roots {
		parts := []job{{root, members[i]}}
		if root != "" {
			parts = e.jobsOf(root, members[i])
		} else if e.opt.Each {
			parts = e.namedJobs(members[i])
		}
		if len(parts) > 1 && !e.opt.Each {
			return nil, manyJobs(root, parts)
		}
		jobs = append(jobs, parts...)
	}
	if !e.opt.Each { // several paths are the sources of one run: whoever names them says so
		jobs = []job{e.joined(jobs)}
	}
	for _, j := range jobs {
		e.build(j)
	}
	slices.SortStableFunc(e.set.Inputs, func(a, b Input) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.ID, b.ID))
	})
	slices.SortStableFunc(e.set.Unread, func(a, b evidence.Unread) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortStableFunc(e.set.Passed, func(a, b Passed) int { return cmp.Compare(a.Path, b.Path) })
	return e.set, nil
}

// roots lists the folders that were named, and for each the sources in it; ""
// stands for files that were named themselves.
func (e *expander) roots() (roots []string, members [][]int) {
	at := map[string]int{}
	for i := range e.found {
		root := e.found[i].root
		k, ok := at[root]
		if !ok {
			k = len(roots)
			at[root] = k
			roots = append(roots, root)
			members = append(members, nil)
		}
		members[k] = append(members[k], i)
	}
	return roots, members
}

func manyJobs(root string, parts []job) *ManyJobs {
	err := &ManyJobs{Path: root}
	for _, p := range parts {
		name := strings.TrimPrefix(p.name, filepath.ToSlash(root))
		err.Jobs = append(err.Jobs, strings.TrimLeft(name, "/#"))
	}
	if i := slices.Index(err.Jobs, ""); i >= 0 {
		err.Jobs[i] = "the other files"
	}
	return err
}

func (e *expander) joined(jobs []job) job {
	all := job{}
	for _, j := range jobs {
		all.members = append(all.members, j.members...)
	}
	if len(jobs) > 0 {
		all.name = jobs[0].name
	}
	if all.name == "" && len(all.members) > 0 {
		all.name = e.found[all.members[0]].ID
	}
	return all
}

// namedJobs parts files that were named one by one, with --each: files whose
// names differ only in stream or rank belong together.
func (e *expander) namedJobs(members []int) []job {
	at := map[string]int{}
	var jobs []job
	for _, m := range members {
		key := e.found[m].stem()
		k, ok := at[key]
		if !ok {
			k = len(jobs)
			at[key] = k
			jobs = append(jobs, job{name: e.found[m].ID})
		}
		jobs[k].members = append(jobs[k].members, m)
	}
	return jobs
}

var streamEnding = regexp.MustCompile(`(?:[._-](?:out|err|stdout|stderr|log|txt))+$`)

// stem is the path without stream, and with a rank's number left out.
func (f *found) stem() string {
	s := plainName(strings.ToLower(filepath.ToSlash(f.Path)))
	if f.Stream != "" {
		s = streamEnding.ReplaceAllString(s, "")
	}
	if f.Rank != nil {
		s = shapeOf(s)
	}
	return s
}

// build adds the members of one job to the set.
func (e *expander) build(j job) {
	superseded := e.superseded(j.members)
	shift := e.masterShift(j.members)
	e.set.Inputs = slices.Grow(e.set.Inputs, len(j.members))
	for _, m := range j.members {
		f := &e.found[m]
		if by, old := superseded[m]; old {
			e.pass(f.ID, "superseded by "+e.found[by].ID)
			continue
		}
		in := f.Input
		in.Group = j.name
		if shift && in.Rank != nil && strings.HasPrefix(in.Host, "worker-") {
			rank := *in.Rank + 1
			in.Rank = &rank
		}
		if f.runOf != "" {
			e.addRun(j.name, f.runOf)
		}
		e.set.Inputs = append(e.set.Inputs, in)
	}
	if len(j.members) > 0 && len(e.runDirs) == 1 {
		e.addRun(j.name, e.runDirs[0].path)
	}
}

// addRun notes that a run directory belongs to a job.
func (e *expander) addRun(name, path string) {
	if !slices.Contains(e.set.RunDirs[name], path) {
		e.set.RunDirs[name] = append(e.set.RunDirs[name], path)
	}
}

// masterShift: pods are named master-0, worker-0, worker-1 ...: with a master
// the workers count from 1.
func (e *expander) masterShift(members []int) bool {
	for _, m := range members {
		switch e.found[m].Host {
		case "master-0", "chief-0":
			return true
		}
	}
	return false
}

// superseded finds older states of a run: every checkpoint of the Hugging Face
// Trainer has one that holds the whole history up to it, and the counters in a
// checkpoint of GoMLX go on from those before. The newest is kept, and of equals the
// one that lies highest.
func (e *expander) superseded(members []int) map[int]int {
	newest := map[string]int{}
	for _, m := range members {
		f := &e.found[m]
		if !f.cumulates() {
			continue
		}
		key := f.line()
		best, ok := newest[key]
		if !ok || f.newerState(&e.found[best]) {
			newest[key] = m
		}
	}
	old := map[int]int{}
	for _, m := range members {
		f := &e.found[m]
		if !f.cumulates() {
			continue
		}
		if best := newest[f.line()]; best != m {
			old[m] = best
		}
	}
	return old
}

// cumulates says that the newest file of its line holds what the others say.
func (f *found) cumulates() bool { return f.Kind == TrainerState || f.Kind == GoMLX }

// line names the run whose states follow one another.
func (f *found) line() string { return string(f.Kind) + "\x00" + f.root + "\x00" + f.home }

func (f *found) newerState(g *found) bool {
	return cmp.Or(cmp.Compare(f.step, g.step),
		cmp.Compare(strings.Count(g.rel, "/"), strings.Count(f.rel, "/")),
		cmp.Compare(g.rel, f.rel)) > 0
}

// gomlxNumber reads the number of a checkpoint of GoMLX, which counts them.
func gomlxNumber(rel string) int64 {
	var n int64
	if _, err := fmt.Sscanf(path.Base(rel), "checkpoint-n%d", &n); err != nil {
		return 0 // called otherwise by somebody
	}
	return n
}

// globalStep reads the step that a trainer state was saved at, or the number
// of its checkpoint's folder.
func globalStep(rel string, head []byte) int64 {
	if _, rest, ok := bytes.Cut(head, []byte(`"global_step":`)); ok {
		var n int64
		if _, err := fmt.Sscan(string(rest[:min(len(rest), 24)]), &n); err == nil {
			return n
		}
	}
	dir := path.Base(path.Dir(rel))
	n, _ := strconv.ParseInt(dir[strings.LastIndexAny(dir, "-_")+1:], 10, 64)
	return n
}
