package evidence

// Run is what a run directory adds: what trainvet itself recorded (C5) and
// what guards wrote (C1).
type Run struct {
	ID       string    `json:"id"`
	Manifest bool      `json:"manifest"`         // read, and its own digest holds
	Trailer  bool      `json:"trailer"`          // the run was closed
	Damage   []string  `json:"damage,omitempty"` // files missing, changed or cut against the trailer
	Exit     *int      `json:"exit,omitempty"`
	Ending   string    `json:"ending,omitempty"` // exit, signal, oom, time-limit, reboot, teardown, unknown
	World    int       `json:"world,omitempty"`
	Python   bool      `json:"python,omitempty"` // the child was a Python trainer: guards are required
	Boots    []Boot    `json:"boots,omitempty"`  // processes that reported in
	Silent   []string  `json:"silent,omitempty"` // processes that loaded the framework and did not
	Findings []Finding `json:"findings,omitempty"`
	Machine  []Taint   `json:"machine,omitempty"` // uncleared faults of the devices at start
	Probes   []Probe   `json:"probes,omitempty"`
	Ledger   []string  `json:"unguarded,omitempty"` // ledgered decode sites that ran unguarded
}

// Boot is a process in which the guards were live.
type Boot struct {
	Pid    int      `json:"pid"`
	Rank   *int     `json:"rank,omitempty"`
	Gap    bool     `json:"gap,omitempty"`    // sequence numbers are missing, or a record is damaged
	Errors int      `json:"errors,omitempty"` // hook errors
	Ended  bool     `json:"ended,omitempty"`
	Checks []string `json:"checks,omitempty"` // metric kinds whose checks ran: decode, steps, finite, ...
}

// Finding is what a guard saw (C2): it carries its effect, so that the audit
// needs no list of checks.
type Finding struct {
	Code   string   `json:"code"`
	Effect string   `json:"effect"` // poison, unprove, degrade, note
	Scope  Scope    `json:"scope"`
	From   *float64 `json:"from,omitempty"`   // step
	Until  *float64 `json:"until,omitempty"`  // step
	Metric string   `json:"metric,omitempty"` // pattern; empty: all
	Text   string   `json:"text"`
	Rank   *int     `json:"rank,omitempty"`
	At     Pos      `json:"at"` // in the record file, or in the sink if SinkOffset says so
	Sink   *Pos     `json:"sink,omitempty"`
}

// Taint is an uncleared fault of a device or node, from before the run.
type Taint struct {
	Device string `json:"device"`
	Scope  Scope  `json:"scope"`
	Marker string `json:"marker"`
	Since  string `json:"since"`
	Text   string `json:"text"`
}

// Probe is a probe result that the manifest carries.
type Probe struct {
	Device string `json:"device"`
	Passed bool   `json:"passed"`
	// Current: after the last boot and the last uncleared fault.
	Current bool   `json:"current"`
	Text    string `json:"text,omitempty"`
}

func (r *Run) join(o *Run) *Run {
	if o == nil {
		return r
	}
	j := *o
	j.Manifest = j.Manifest && r.Manifest
	j.Trailer = j.Trailer && r.Trailer
	j.Python = j.Python || r.Python
	j.Damage = append(j.Damage, r.Damage...)
	j.Boots = append(j.Boots, r.Boots...)
	j.Silent = append(j.Silent, r.Silent...)
	j.Findings = append(j.Findings, r.Findings...)
	j.Machine = append(j.Machine, r.Machine...)
	j.Probes = append(j.Probes, r.Probes...)
	j.Ledger = append(j.Ledger, r.Ledger...)
	j.World = max(j.World, r.World)
	return &j
}
