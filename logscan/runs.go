package logscan

import (
	"fmt"
	"path/filepath"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/metric"
	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/logscan/source"
)

// addRun adds what run directories say: how whole the capture is, what guards
// wrote, what the machine carried.
func addRun(ev *evidence.Evidence, set *source.Set, know *metric.Callers) error {
	seen := map[string]bool{}
	var called []func()
	for _, path := range append([]string{set.RunDir}, mapValues(set.RunDirs)...) {
		if path == "" || seen[path] {
			continue
		}
		seen[path] = true
		d, err := rundir.Read(path)
		if err != nil {
			return fmt.Errorf("reading the run directory %s: %w", path, err)
		}
		run := d.Evidence()
		*ev = evidence.Merge(*ev, evidence.Evidence{Run: run})
		addIntent(ev, d, filepath.Join(path, rundir.LogFile))
		addFirstStep(ev, run, filepath.Join(path, rundir.LogFile))
		markCapture(ev, d, filepath.Join(path, rundir.LogFile))
		called = append(called, func() { addCalled(ev, know, d, run) })
	}
	for _, add := range called { // each looks for what was printed in any of them
		add()
	}
	return nil
}

func mapValues(m map[string][]string) []string {
	var out []string
	for _, v := range m {
		out = append(out, v...)
	}
	return out
}

// markCapture tells the source of the captured log what is proven about it.
func markCapture(ev *evidence.Evidence, d *rundir.Dir, log string) {
	for i := range ev.Sources {
		s := &ev.Sources[i]
		if filepath.Clean(s.ID) != filepath.Clean(log) {
			continue
		}
		c := d.Capture()
		s.Capture = &c
		s.Stream = "both"
		s.Breaks = append(s.Breaks, d.Breaks()...)
	}
}
