package machine

import (
	"slices"
	"time"
)

// Version is the version of a state file.
const Version = 1

// Kind says what a state file is of.
type Kind string

// The kinds of state file.
const (
	KindMachine Kind = "machine"
	KindDevice  Kind = "device"
)

// Key names a state file.
type Key struct {
	Kind Kind   `json:"kind"`
	ID   string `json:"id"` // uuid of a device; machine id of a machine
}

// State is one state file.
type State struct {
	Version int       `json:"version"`
	Key     Key       `json:"key"`
	Name    string    `json:"name,omitempty"` // for people: model of the device, name of the host
	Updated time.Time `json:"updated"`
	Taints  []Taint   `json:"taints"` // oldest first, cleared ones too
	Probes  []Probe   `json:"probes"` // oldest first
	// Damaged says why the file could not be read; it is never written.
	Damaged string `json:"-"`
	// File is the name of a damaged file whose key could not be read.
	File string `json:"-"`
}

// Clears says what takes a taint away.
type Clears string

// What takes a taint away. Two consecutive passing probes or a person clear
// every taint.
const (
	ClearsReboot Clears = "reboot" // a driver fault: a reboot or a reset of the device does too
	ClearsProbe  Clears = "probe"  // a hardware fault: a reboot does not
)

// Taint is a fault of device or node scope.
type Taint struct {
	Marker string    `json:"marker"` // row of the marker catalogue
	Scope  string    `json:"scope"`  // device, node
	Clears Clears    `json:"clears"`
	Since  time.Time `json:"since"`
	BootID string    `json:"boot_id"` // of the kernel at that time; empty: not readable
	Run    string    `json:"run,omitempty"`
	Text   string    `json:"text"` // the line

	ClearedBy string     `json:"cleared_by,omitempty"` // reboot, reset, probe, or who did it by hand
	ClearedAt *time.Time `json:"cleared_at,omitempty"`
}

// Probe is the result of one probe of a device.
type Probe struct {
	Name      string    `json:"name"` // group: parity, train, echo …; "all" for a whole run of probe
	Passed    bool      `json:"passed"`
	At        time.Time `json:"at"`
	BootID    string    `json:"boot_id"`
	Driver    string    `json:"driver,omitempty"`
	Framework string    `json:"framework,omitempty"`
	Text      string    `json:"text,omitempty"`
}

// History bounds what a file keeps. Uncleared taints are never dropped.
const (
	maxProbes  = 64
	maxCleared = 64
	passes     = 2 // consecutive passing probes that clear a taint
)

// unknownTaint stands for what a damaged file may have held.
const unknownTaint = "state-unreadable"

// AddTaint records a fault. The same marker of the same boot is one taint.
func (s *State) AddTaint(t Taint) {
	for i := range s.Taints {
		o := &s.Taints[i]
		if o.ClearedAt == nil && o.Marker == t.Marker && o.Scope == t.Scope && o.BootID == t.BootID {
			return
		}
	}
	t.ClearedAt, t.ClearedBy = nil, ""
	s.Taints = append(s.Taints, t)
	s.trim()
}

// AddProbe records a result. The second pass in a row after the last taint
// clears all taints.
func (s *State) AddProbe(p Probe) {
	s.Probes = append(s.Probes, p)
	if s.passesInRow() >= passes {
		s.clear("probe", p.At, func(Taint) bool { return true })
	}
	s.trim()
}

// passesInRow counts the passing probes at the end of the list that came after
// every uncleared taint.
func (s *State) passesInRow() int {
	n := 0
	for i := len(s.Probes) - 1; i >= 0; i-- {
		p := s.Probes[i]
		if !p.Passed || slices.ContainsFunc(s.Taints, func(t Taint) bool { return t.ClearedAt == nil && !t.Since.Before(p.At) }) {
			break
		}
		n++
	}
	return n
}

// Reset records that the device was reset, which clears driver faults.
func (s *State) Reset(at time.Time) {
	s.clear("reset", at, func(t Taint) bool { return t.Clears == ClearsReboot })
}

// Boot holds the taints against the kernel's present boot id: a reboot since
// clears driver faults. An id that is not known clears nothing.
func (s *State) Boot(id string, at time.Time) {
	s.clear("reboot", at, func(t Taint) bool {
		return t.Clears == ClearsReboot && id != "" && t.BootID != "" && t.BootID != id
	})
}

// Clear takes away all taints on the word of a person.
func (s *State) Clear(by string, at time.Time) {
	s.clear(by, at, func(Taint) bool { return true })
}

func (s *State) clear(by string, at time.Time, which func(Taint) bool) {
	for i := range s.Taints {
		if t := &s.Taints[i]; t.ClearedAt == nil && which(*t) {
			t.ClearedBy, t.ClearedAt = by, &at
		}
	}
}

// Uncleared returns the taints that stand.
func (s *State) Uncleared() []Taint {
	var out []Taint
	for _, t := range s.Taints {
		if t.ClearedAt == nil {
			out = append(out, t)
		}
	}
	return out
}

// LastProbe returns the newest result; false: there is none.
func (s *State) LastProbe() (Probe, bool) {
	if len(s.Probes) == 0 {
		return Probe{}, false
	}
	return s.Probes[len(s.Probes)-1], true
}

// Probed reports whether the newest probe passed, in this boot, with this
// driver and framework, and after every uncleared taint. Driver or framework
// may be empty where they are not known: then any will do.
func (s *State) Probed(bootID, driver, framework string) bool {
	p, ok := s.LastProbe()
	return ok && p.Passed && bootID != "" && p.BootID == bootID && len(s.Uncleared()) == 0 &&
		(driver == "" || p.Driver == driver) && (framework == "" || p.Framework == framework)
}

// trim drops the oldest probes and cleared taints beyond the bounds.
func (s *State) trim() {
	s.Probes = s.Probes[max(0, len(s.Probes)-maxProbes):]
	cleared := len(s.Taints) - len(s.Uncleared())
	s.Taints = slices.DeleteFunc(s.Taints, func(t Taint) bool {
		if t.ClearedAt == nil || cleared <= maxCleared {
			return false
		}
		cleared--
		return true
	})
}
