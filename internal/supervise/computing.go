//go:build unix

package supervise

import (
	"os"
	"slices"
	"time"

	"github.com/trainvet/trainvet/logscan/rundir"
)

// computing looks at the processes of the run while it goes on, for those that
// load the framework or open an accelerator: of each of them the guards must have
// heard. One that is forked from another and runs no other program carries its
// guards.
type computing struct {
	view  processView
	next  time.Time
	seen  map[int]*watched
	alien map[int]bool // pids that are none of the run's
}

// watched is a process of the run.
type watched struct {
	process
	argv    []string
	first   time.Time
	next    time.Time
	library string
	device  string
	looks   int // since the library was there
	forked  bool
}

// processView is where the processes are looked at: a test has its own.
type processView struct {
	pids   func() []int
	read   func(pid int) (process, bool)
	argv   func(pid int) []string
	loaded func(pid int) string // framework; empty: none, or not readable
	opened func(pid int) string // device; empty: none, or not readable
}

// A process imports its framework and opens its device in the first seconds as a
// rule; one that has not is asked less often.
const (
	lookInterval = time.Second
	lookYoung    = time.Minute
	lookSeldom   = 10 * time.Second
	maxComputing = 4096
	maxArgv      = 8
	maxArgument  = 200
)

func newComputing(view processView) *computing {
	return &computing{view: view, seen: map[int]*watched{}, alien: map[int]bool{}}
}

// look is done at each tick and looks once a second. It returns what is new.
func (c *computing) look(now time.Time, roots ...int) []rundir.Event {
	if now.Before(c.next) {
		return nil
	}
	c.next = now.Add(lookInterval)
	all := c.view.pids()
	c.forget(all)
	for _, pid := range all {
		if c.seen[pid] == nil && !c.alien[pid] && len(c.seen) < maxComputing {
			c.meet(pid, now, roots)
		}
	}
	slices.Sort(all)
	var events []rundir.Event
	for _, pid := range all {
		if w := c.seen[pid]; w != nil && !now.Before(w.next) && w.device == "" {
			events = append(events, c.ask(w, now)...)
		}
	}
	return events
}

// forget drops what is gone: its pid may become another process's.
func (c *computing) forget(all []int) {
	live := make(map[int]bool, len(all))
	for _, pid := range all {
		live[pid] = true
	}
	for pid := range c.alien {
		if !live[pid] {
			delete(c.alien, pid)
		}
	}
	for pid, w := range c.seen {
		if !live[pid] && w.library == "" {
			delete(c.seen, pid)
		}
	}
}

// meet decides whether a process belongs to the run: below the child, or left by
// its parent to us.
func (c *computing) meet(pid int, now time.Time, roots []int) {
	chain, p := []process{}, process{}
	for at := pid; ; at = p.parent {
		if slices.Contains(roots, at) || c.seen[at] != nil {
			break
		}
		var ok bool
		if p, ok = c.view.read(at); !ok || at <= 1 || len(chain) > 64 || c.alien[at] {
			c.alien[pid] = true
			return
		}
		chain = append(chain, p)
	}
	if slices.Contains(roots, pid) && pid != os.Getpid() {
		if p, ok := c.view.read(pid); ok {
			chain = append(chain, p)
		}
	}
	for _, p := range chain {
		c.seen[p.pid] = &watched{process: p, first: now}
	}
}

// ask looks at one process.
func (c *computing) ask(w *watched, now time.Time) []rundir.Event {
	w.next = now.Add(lookInterval)
	if now.Sub(w.first) > lookYoung {
		w.next = now.Add(lookSeldom)
	}
	var events []rundir.Event
	if w.library == "" {
		if w.library = c.view.loaded(w.pid); w.library != "" {
			w.argv = short(c.view.argv(w.pid))
			if w.forked = c.carried(w); !w.forked {
				events = append(events, w.event(rundir.Event{Library: w.library}))
			}
		}
	} else {
		w.looks++
	}
	if w.device = c.view.opened(w.pid); w.device != "" {
		if w.argv == nil {
			w.argv = short(c.view.argv(w.pid))
		}
		events = append(events, w.event(rundir.Event{Kind: rundir.KindAccelerator, Path: w.device}))
	}
	return events
}

// carried: the process was forked from one that is known and runs the same
// program with the same words.
func (c *computing) carried(w *watched) bool {
	parent := c.seen[w.parent]
	if parent == nil {
		return false
	}
	if parent.library == "" { // it is asked behind its child, by its pid
		parent.argv = short(c.view.argv(parent.pid))
	}
	return slices.Equal(parent.argv, w.argv)
}

// idle tells of processes that loaded the framework, were looked at several times
// since, and never had an accelerator open.
func (c *computing) idle() []rundir.Event {
	const enough = 3
	var events []rundir.Event
	for _, w := range c.seen {
		if w.library != "" && w.device == "" && w.looks >= enough && !w.forked {
			events = append(events, w.event(rundir.Event{Library: w.library, Kind: rundir.KindNoAccelerator}))
		}
	}
	slices.SortFunc(events, func(a, b rundir.Event) int { return a.Pid - b.Pid })
	return events
}

func (w *watched) event(e rundir.Event) rundir.Event {
	e.Type, e.Pid, e.Parent, e.Started, e.Argv = rundir.EventProcess, w.pid, w.parent, w.started, w.argv
	return e
}

func short(argv []string) []string {
	argv = slices.Clone(argv[:min(len(argv), maxArgv)])
	for i, a := range argv {
		argv[i] = a[:min(len(a), maxArgument)]
	}
	return argv
}

// lookAtProcesses writes down what computes.
func (s *Session) lookAtProcesses(now time.Time) {
	if s.computing == nil {
		s.computing = newComputing(processesHere())
	}
	if s.end.done {
		return
	}
	for _, e := range s.computing.look(now, s.child.Pid, os.Getpid()) {
		e.Offset = at(s.size())
		s.journal.write(e)
	}
}
