package evidence

// Run is what a run directory adds: what trainvet itself recorded (C5) and
// what guards wrote (C1).
type Run struct {
	ID       string `json:"id"`       // of several directories: joined by +
	Manifest bool   `json:"manifest"` // read, and its own digest holds
	Trailer  bool   `json:"trailer"`  // the run was closed, and the trailer's own digest holds
	Sealed   bool   `json:"sealed"`   // both, and every file is as the trailer says
	// Loose: guards wrote records and nothing recorded the process around them.
	// What they saw counts; what they did not see proves nothing.
	Loose  bool     `json:"loose,omitempty"`
	Damage []string `json:"damage,omitempty"` // files missing, changed, cut or not named by the trailer
	Exit   *int     `json:"exit,omitempty"`   // code; nil: not known, or a signal
	Signal string   `json:"signal,omitempty"` // that ended the child
	Ending string   `json:"ending,omitempty"` // exit, signal, oom, time-limit, preempted, reboot, teardown, unknown
	// EndingWhy is what shows the ending, and what could not be looked at.
	EndingWhy []string `json:"ending_evidence,omitempty"`
	// Told are the signals that the run was sent or passed on: it may have ended for them.
	Told []string `json:"told,omitempty"`
	// Before is what was found of the machine before the child; Unseen what could not be looked at.
	Before []string `json:"before,omitempty"`
	Unseen []string `json:"unseen,omitempty"`
	BootID string   `json:"boot_id,omitempty"`
	World  int      `json:"world,omitempty"`
	// Ranks are those that had a trainvet of their own and whose directory was
	// read; none: one trainvet recorded the whole job.
	Ranks  []int `json:"ranks,omitempty"`
	Python bool  `json:"python,omitempty"` // the child was a Python trainer: guards are required
	// HostPids: the run's pids are the host's, so a kernel line's pid can name its processes.
	HostPids bool `json:"host_pids,omitempty"`

	Boots     []Boot       `json:"boots,omitempty"`     // processes that reported in
	Silent    []string     `json:"silent,omitempty"`    // processes that loaded the framework and did not
	Unheard   []string     `json:"unheard,omitempty"`   // likewise, in a run of which no guards were required
	Findings  []Finding    `json:"findings,omitempty"`  // of the guards, faults among them
	Steps     []StepLedger `json:"steps,omitempty"`     // optimizer by optimizer
	Metrics   []Reported   `json:"metrics,omitempty"`   // values that the trainer reported to the guards
	Artifacts []Artifact   `json:"artifacts,omitempty"` // files that it wrote and read
	Held      []Held       `json:"held,omitempty"`      // what ranks held, to be compared
	Resumes   []Resume     `json:"resumes,omitempty"`   // processes that went on from a checkpoint
	Machine   []Taint      `json:"machine,omitempty"`   // uncleared faults of the devices at start
	Probes    []Probe      `json:"probes,omitempty"`    // of the manifest, and made inside the run
	Ledger    []string     `json:"unguarded,omitempty"` // ledgered decode sites that ran unguarded
	Met       []string     `json:"met,omitempty"`       // decodes of the sources that guards looked at
	NotMet    []string     `json:"not_met,omitempty"`   // those in files that ran, which no guard of a process met
}

// Boot is a process in which the guards were live.
type Boot struct {
	Pid    int      `json:"pid"`
	Start  int64    `json:"start,omitempty"` // Unix nanoseconds
	Host   string   `json:"host,omitempty"`
	Lang   string   `json:"lang,omitempty"` // go, python
	Rank   *int     `json:"rank,omitempty"`
	File   string   `json:"file"`              // record file, within the run directory
	Gap    bool     `json:"gap,omitempty"`     // sequence numbers are missing, or a record is damaged or lost
	Issues []string `json:"issues,omitempty"`  // what Gap means
	Errors int      `json:"errors,omitempty"`  // hook errors
	Ended  bool     `json:"ended,omitempty"`   // an end record closes it
	Checks []string `json:"checks,omitempty"`  // metric kinds whose checks ran: decode, steps, finite, ...
	Live   []string `json:"live,omitempty"`    // checks that were live, whether or not anything came by
	Off    []string `json:"off,omitempty"`     // "check: why it was not live"
	Count  int64    `json:"records,omitempty"` // records read
}

// Finding is what a guard saw (C2): it carries its effect, so that the audit
// needs no list of checks.
type Finding struct {
	Code   string   `json:"code"`
	Class  string   `json:"class,omitempty"` // fault, quality, doubt
	Effect string   `json:"effect"`          // poison, unprove, degrade, note
	Scope  Scope    `json:"scope"`
	From   *float64 `json:"from,omitempty"`   // step
	Until  *float64 `json:"until,omitempty"`  // step
	Metric string   `json:"metric,omitempty"` // pattern; empty: all
	Text   string   `json:"text"`
	Pid    int      `json:"pid,omitempty"`
	Rank   *int     `json:"rank,omitempty"`
	Device string   `json:"device,omitempty"`
	Site   string   `json:"site,omitempty"` // ledger identity, else file:line
	At     Pos      `json:"at"`             // in the record file
	Sink   *Pos     `json:"sink,omitempty"` // in the capture: all bytes below were written before the finding
	// Count and Last fold findings that differ in nothing but place and text.
	Count int64 `json:"count,omitempty"`
	Last  *Pos  `json:"last,omitempty"`
}

// StepLedger is what is known of one optimizer of one process.
type StepLedger struct {
	Pid       int         `json:"pid"`
	Rank      *int        `json:"rank,omitempty"`
	Optimizer string      `json:"optimizer"`
	How       string      `json:"how,omitempty"` // where skips are read; empty: they are not seen
	Planned   int64       `json:"planned,omitempty"`
	Attempted int64       `json:"attempted"`
	Applied   int64       `json:"applied"`
	Skipped   int64       `json:"skipped"`
	Samples   int64       `json:"samples,omitempty"`
	Step      *float64    `json:"step,omitempty"` // the trainer's counter at the last record
	Points    []StepPoint `json:"points,omitempty"`
	Skips     []Skips     `json:"skips,omitempty"`
	// Folded: neighbouring stretches of skips were joined to bound the list; the totals are exact.
	Folded bool `json:"folded,omitempty"`
}

// StepPoint is the ledger at one moment, so that a metric's steps can be counted.
type StepPoint struct {
	At        Pos      `json:"at"`
	Sink      *Pos     `json:"sink,omitempty"`
	Step      *float64 `json:"step,omitempty"`
	Attempted int64    `json:"attempted"`
	Applied   int64    `json:"applied"`
	Skipped   int64    `json:"skipped"`
}

// Skips is a stretch of optimizer steps that were thrown away.
type Skips struct {
	At     Pos      `json:"at"`
	Sink   *Pos     `json:"sink,omitempty"`
	From   *int64   `json:"from,omitempty"`  // attempt number of the first
	Until  *int64   `json:"until,omitempty"` // attempt number of the last
	N      int64    `json:"n"`               // how many; in a row unless Folded
	InRow  int64    `json:"in_row"`          // most in a row
	Step   *float64 `json:"step,omitempty"`
	Reason string   `json:"reason,omitempty"`
	Scale  *Num     `json:"scale,omitempty"`
	Floor  bool     `json:"floor,omitempty"`
}

// GoesOnIn reports whether next continues s without an applied step between:
// both are unbroken, and next begins where s ends.
func (s *Skips) GoesOnIn(next *Skips) bool {
	return s.Until != nil && next.From != nil && *next.From == *s.Until+1 && s.InRow == s.N && next.InRow == next.N
}

// Reported is one metric that the trainer reported to the guards.
type Reported struct {
	Name      string          `json:"name"`
	Split     string          `json:"split,omitempty"`
	Source    string          `json:"source,omitempty"` // guards, trainer, lightning ...
	Pid       int             `json:"pid"`
	Rank      *int            `json:"rank,omitempty"`
	N         int64           `json:"n"` // values
	NonFinite int64           `json:"nonfinite,omitempty"`
	Min       Num             `json:"min"` // of the finite ones
	Max       Num             `json:"max"`
	Points    []ReportedPoint `json:"points"` // first and last are kept; the ones between are thinned out
}

// ReportedPoint is one value.
type ReportedPoint struct {
	At      Pos      `json:"at"`
	Sink    *Pos     `json:"sink,omitempty"`
	Value   Num      `json:"value"`
	Step    *float64 `json:"step,omitempty"`
	Epoch   *float64 `json:"epoch,omitempty"`
	Samples *int64   `json:"samples,omitempty"`
	Good    *int64   `json:"good,omitempty"`
	Taint   string   `json:"taint,omitempty"` // code of the fault that the process had seen before
	Where   string   `json:"where,omitempty"` // file and line of the trainer that reported it
}

// Taint is an uncleared fault of a device or node, from before the run.
type Taint struct {
	Device string `json:"device"`
	Scope  Scope  `json:"scope"`
	Marker string `json:"marker"`
	Since  string `json:"since"`
	Text   string `json:"text"`
}

// Probe is a probe result that the manifest or the run record carries.
type Probe struct {
	Device string `json:"device"`
	Name   string `json:"name,omitempty"`
	Passed bool   `json:"passed"`
	// Current: after the last boot and the last uncleared fault.
	Current bool   `json:"current"`
	At      *Pos   `json:"at,omitempty"` // of one made inside the run
	Sink    *Pos   `json:"sink,omitempty"`
	Text    string `json:"text,omitempty"`
}
