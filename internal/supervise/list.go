package supervise

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// State of a run.
type State string

// The states.
const (
	Running  State = "running"  // under a supervisor
	Orphaned State = "orphaned" // it runs, and nobody supervises it
	Closed   State = "closed"   // it has a trailer
	Open     State = "open"     // it has ended, and nobody closed it
	Away     State = "away"     // its record is closed and has not come home, or lies on another host
)

// Listed is a run as `trainvet runs` shows it.
type Listed struct {
	ID, Dir  string
	State    State
	Pid      int
	Argv     []string
	Started  time.Time
	Ended    time.Time // zero: not known
	Ending   string
	Code     *int
	Signal   string
	Fault    string // first marker
	Headline *verdict.Verdict
	Level    verdict.Level
	Size     int64
	Home     string // run directory, where the record lies elsewhere
	Host     string // on which it lies then
	Here     bool   // the record can be read
}

// List reads the runs of a folder, oldest first. A folder that is not there has
// none.
func List(runs string) ([]Listed, error) {
	entries, err := os.ReadDir(runs)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("listing the runs: %w", err)
	}
	var all []Listed
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		l, err := ReadListed(filepath.Join(runs, e.Name()))
		if errors.Is(err, rundir.ErrNotRun) {
			continue
		}
		if err != nil {
			return all, err
		}
		all = append(all, *l)
	}
	slices.SortStableFunc(all, func(a, b Listed) int { return cmp.Compare(a.Started.UnixNano(), b.Started.UnixNano()) })
	return all, nil
}

// ReadListed reads one run, wherever its record lies.
func ReadListed(dir string) (*Listed, error) {
	note, err := readAway(dir)
	if err != nil {
		return nil, err
	}
	if note == nil {
		return readListed(dir)
	}
	l := &Listed{ID: note.ID, Dir: note.Dir, State: Away, Started: time.Unix(0, note.Wall)}
	if note.here() {
		if l, err = readListed(note.Dir); err != nil {
			return nil, err
		}
		if l.State == Closed {
			l.State = Away
		}
	}
	l.Home, l.Host, l.Here = dir, note.Host, note.here()
	return l, nil
}

func readListed(dir string) (*Listed, error) {
	d, err := rundir.Read(dir)
	if err != nil {
		return nil, err
	}
	l := &Listed{ID: filepath.Base(dir), Dir: dir, State: Open, Here: true}
	if m := d.Manifest; m != nil {
		l.ID, l.Argv, l.Started = m.ID, m.Argv, time.Unix(0, m.Wall)
	}
	for i := range d.Events {
		l.event(&d.Events[i])
	}
	if r := d.Receipt; r != nil {
		l.Headline, l.Level = &r.Headline, r.Level
	}
	if d.Trailer != nil {
		l.State, l.Ended = Closed, time.Unix(0, d.Trailer.Wall)
	} else {
		l.State = stateOf(d)
	}
	l.Size = sizeOf(dir)
	return l, nil
}

func (l *Listed) event(e *rundir.Event) {
	switch e.Type {
	case rundir.EventStart:
		l.Pid = e.Pid
	case rundir.EventExit:
		l.Code, l.Signal, l.Ended = e.Code, e.Signal, time.Unix(0, e.Wall)
	case rundir.EventEnding:
		l.Ending = e.Kind
	case rundir.EventFault:
		l.Fault = e.Marker
	}
}

func sizeOf(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}

// ErrNoRun says that no run has that name.
var ErrNoRun = errors.New("there is no such run")

// Find finds a run by its directory, its id, or the beginning of an id that only
// one has; empty: the newest one.
func Find(runs, name string) (*Listed, error) {
	if strings.ContainsRune(name, filepath.Separator) {
		dir, err := filepath.Abs(name)
		if err != nil {
			return nil, fmt.Errorf("finding %s: %w", name, err)
		}
		return ReadListed(dir)
	}
	all, err := List(runs)
	if err != nil {
		return nil, err
	}
	var found []Listed
	for _, l := range all {
		base := filepath.Base(l.Dir)
		if l.ID == name || base == name {
			return absolute(&l)
		}
		if strings.HasPrefix(base, name) {
			found = append(found, l)
		}
	}
	switch {
	case len(found) == 0 && name != "" && isRun(name):
		dir, err := filepath.Abs(name)
		if err != nil {
			return nil, fmt.Errorf("finding %s: %w", name, err)
		}
		return ReadListed(dir)
	case len(found) == 0:
		return nil, fmt.Errorf("%q in %s: %w", name, runs, ErrNoRun)
	case len(found) > 1 && name != "":
		return nil, fmt.Errorf("%q in %s: %w: %d runs begin so", name, runs, ErrNoRun, len(found))
	}
	return absolute(&found[len(found)-1])
}

// isRun reports whether a folder holds a run, which need not lie where all runs
// lie.
func isRun(dir string) bool {
	for _, file := range []string{rundir.ManifestFile, rundir.SidecarFile, rundir.TrailerFile, awayFile} {
		if _, err := os.Stat(filepath.Join(dir, file)); err == nil {
			return true
		}
	}
	return false
}

func absolute(l *Listed) (*Listed, error) {
	dir, err := filepath.Abs(l.Dir)
	if err != nil {
		return nil, fmt.Errorf("finding %s: %w", l.Dir, err)
	}
	l.Dir = dir
	return l, nil
}

// Retention says which runs are kept. Zero: no bound.
type Retention struct {
	Runs int64
	Age  time.Duration
	Size int64
}

// Surplus lists the runs that a retention does not keep, oldest first. One that
// runs, or that nobody closed, is kept: it may be all that there is of it.
func Surplus(all []Listed, keep Retention, now time.Time) []Listed {
	var out []Listed
	var size, n int64
	for _, l := range slices.Backward(all) {
		if l.State != Closed {
			continue
		}
		n++
		size += l.Size
		old := keep.Age > 0 && now.Sub(l.Ended) > keep.Age
		if keep.Runs > 0 && n > keep.Runs || keep.Size > 0 && size > keep.Size || old {
			out = append(out, l)
		}
	}
	slices.Reverse(out)
	return out
}

// Remove deletes the directory of a closed run.
func Remove(l Listed) error {
	if l.State != Closed {
		return fmt.Errorf("removing %s: it is %s", l.ID, l.State)
	}
	if err := os.RemoveAll(l.Dir); err != nil {
		return fmt.Errorf("removing %s: %w", l.ID, err)
	}
	return nil
}
