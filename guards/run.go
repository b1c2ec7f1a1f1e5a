package guards

// The seam for detectors (ids, finite, scaler): they hold a *Run and use
//
//	r.addSite(record.Site{…}) int      a place that is checked; its number      run_site.go
//	r.check(name, site, tallies…)      a counted check: c.ran(values), c.tally  run_check.go
//	r.report(event) error              what was seen, by its code in effects.tsv run_event.go
//	r.find(event) error                the same for what can be no fault         run_event.go
//	r.Steps(optimizer) *Steps          the step ledger: s.skip, s.apply          steps.go
//
// Nothing of these but report, find, addSite and a count at a power of two takes a
// lock, allocates or makes a system call.

import (
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/trainvet/trainvet/guards/record"
)

// EnvRun is the environment variable that names the run directory. `trainvet
// run` sets it. Without it no file is written, and errors are as ever.
const EnvRun = "TRAINVET_RUN"

// Options says how a Run reports.
type Options struct {
	Dir    string // run directory, which must exist; empty: nothing is written
	Policy Policy
}

// Run is all the state of the guards: what is checked, what was counted, the
// fault that sticks, and the run record. A process has one; see [Default].
//
// Its methods may be called from any goroutine. What ticks once per step or
// batch neither allocates nor locks.
type Run struct {
	policy     atomic.Int32
	step       atomic.Int64 // of the trainer's counter
	rank       atomic.Int64
	world      atomic.Int64
	taint      atomic.Pointer[Fault]
	hookErrors atomic.Int64
	ending     atomic.Bool
	closed     atomic.Bool    // no count is written any more
	out        *record.Writer // nil: nothing is written
	dir        string
	grades     map[string]record.Grade

	mu      sync.Mutex // guards the registers below; taken when something is new
	sites   []record.Site
	decodes map[siteKey]*Site
	checks  []*check
	live    []string // checks, by name
	booted  int      // how many of live a boot record named
	ledgers []*Steps
	events  map[eventKey]*repeated
}

// New returns a run that knows its rank from the environment of its launcher.
// It opens no file: the record begins with the first event.
func New(o Options) *Run {
	if dir, err := filepath.Abs(o.Dir); o.Dir != "" && err == nil {
		o.Dir = dir // the trainer may change its folder before the first event
	}
	r := &Run{dir: o.Dir, grades: map[string]record.Grade{}, events: map[eventKey]*repeated{}, decodes: map[siteKey]*Site{}}
	r.policy.Store(int32(o.Policy))
	r.step.Store(None)
	rank, world := launched()
	r.SetRank(rank, world)
	grades, err := record.Grades()
	if err != nil {
		panic(err) // the table is part of the program, and a test reads it
	}
	for _, g := range grades {
		r.grades[g.Code] = g
	}
	if o.Dir != "" {
		r.out = record.NewWriter(o.Dir, r.preamble)
	}
	return r
}

// SetPolicy changes what checks do from now on.
func (r *Run) SetPolicy(p Policy) { r.policy.Store(int32(p)) }

// SetStep tells the run where the trainer stands, by the counter that the
// trainer logs. A fault without it is placed by where the output stood.
func (r *Run) SetStep(step int64) { r.step.Store(max(step, None)) }

// Step is what SetStep said last; None before.
func (r *Run) Step() int64 { return r.step.Load() }

// SetRank is for trainers whose launcher says the rank in no variable. World is
// the number of processes, 0 where it is not known.
func (r *Run) SetRank(rank, world int) {
	r.rank.Store(int64(max(rank, None)))
	r.world.Store(int64(max(world, 0)))
}

// Rank is the rank of this process; None where it is not known.
func (r *Run) Rank() int { return int(r.rank.Load()) }

// Err returns the first fault that this run saw, nil before. It sticks: what a
// machine computes after a fault is no more to be believed than the fault's own
// batch, until the process is started anew.
func (r *Run) Err() error {
	if f := r.taint.Load(); f != nil {
		return f
	}
	return nil
}

// tainted is the code of the sticky fault; empty: none.
func (r *Run) tainted() string {
	if f := r.taint.Load(); f != nil {
		return f.Grade
	}
	return ""
}

// Loss says which records could not be written, as a *record.LossError; nil
// where all were. The trainer goes on without them, and the audit sees the gap.
func (r *Run) Loss() error {
	if r.out == nil {
		return nil
	}
	return r.out.Loss()
}

// Close writes the counts and the end of the record. It returns the sticky
// fault, so that one whose error was dropped still ends the trainer; that a
// record could not be written is no reason to, see [Run.Loss]. A process that
// leaves without Close (os.Exit, log.Fatal) loses the assurance that its checks
// ran to the end, and no evidence.
func (r *Run) Close() error {
	if r.out != nil && !r.ending.Swap(true) {
		r.flush()
		r.closed.Store(true)
		r.out.Close(r.Rank(), "close", r.hookErrors.Load())
	}
	return r.Err()
}

// Flush writes what is counted so far, which else is written when a count
// doubles, at the next metric or file, and by Close. Call it where a training
// breaks off and its process goes on.
func (r *Run) Flush() {
	if r.out != nil && !r.ending.Load() {
		r.flush()
	}
}

// write appends a record; one that is lost is counted by the writer.
func (r *Run) write(b record.Body) {
	if r.out != nil {
		r.out.Write(r.Rank(), b)
	}
}
