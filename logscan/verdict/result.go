package verdict

import (
	"fmt"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// ResultVersion is the version of the result JSON (C4).
const ResultVersion = 1

// Verdict orders TRUSTED < DEGRADED < UNPROVEN < POISONED.
type Verdict int

// The verdicts of design.md.
const (
	Trusted Verdict = iota
	Degraded
	Unproven
	Poisoned
)

var verdictNames = [...]string{"TRUSTED", "DEGRADED", "UNPROVEN", "POISONED"}

func (v Verdict) String() string { return verdictNames[v] }

// MarshalText writes the word.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads the word.
func (v *Verdict) UnmarshalText(b []byte) error {
	for i, n := range verdictNames {
		if n == string(b) {
			*v = Verdict(i)
			return nil
		}
	}
	return fmt.Errorf("%q is no verdict", b)
}

// Level is the assurance: how much was looked at when nothing was found.
type Level int

// The levels of design.md; each includes the one before.
const (
	Log Level = iota
	Captured
	Guarded
	Probed
)

var levelNames = [...]string{"log", "captured", "guarded", "probed"}

func (l Level) String() string { return levelNames[l] }

// MarshalText writes the word.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads the word.
func (l *Level) UnmarshalText(b []byte) error {
	for i, n := range levelNames {
		if n == string(b) {
			*l = Level(i)
			return nil
		}
	}
	return fmt.Errorf("%q is no assurance level", b)
}

// Result is what can be said of a run.
type Result struct {
	Version   int       `json:"version"`
	Headline  Verdict   `json:"headline"` // worst over the claims
	Level     Level     `json:"assurance"`
	Claims    []Subject `json:"claims"`           // metric by metric, worst first
	Series    []Series  `json:"series,omitempty"` // training values as stretches
	Others    []Subject `json:"others,omitempty"` // diagnostics, speed; with --all every value
	Artifacts []Subject `json:"artifacts,omitempty"`
	Run       Subject   `json:"run"`
	Machine   *Subject  `json:"machine,omitempty"`
	Ending    *Ending   `json:"ending,omitempty"` // of a run that trainvet recorded

	Faults     []Event             `json:"faults,omitempty"` // each event once
	Crashes    []Event             `json:"crashes,omitempty"`
	Losses     []Event             `json:"degraded,omitempty"`
	Notes      []Note              `json:"notes,omitempty"`
	Quality    []Note              `json:"quality,omitempty"`     // findings from the curves; they change no verdict
	Skipped    []Note              `json:"not_checked,omitempty"` // what was not looked at, and why; how to get it
	Decisions  []evidence.Decision `json:"decisions,omitempty"`
	Steps      *Steps              `json:"steps,omitempty"`
	Values     []Subject           `json:"values,omitempty"`            // with --all: every value
	LastBefore []Subject           `json:"last_before_fault,omitempty"` // one per claim's metric, when there is a fault
	Sources    []SourceLine        `json:"sources"`
}

// Subject is one thing that is judged.
type Subject struct {
	Kind    string        `json:"kind"` // metric, artifact, run, machine
	Name    string        `json:"name"`
	Printed string        `json:"printed,omitempty"`
	Split   string        `json:"split,omitempty"` // train, val, test; empty: not known
	Value   evidence.Num  `json:"value"`
	Text    string        `json:"text,omitempty"` // the value as printed
	Verdict Verdict       `json:"verdict"`
	Level   Level         `json:"assurance"`
	Why     []Reason      `json:"reasons,omitempty"` // worst first; all are kept
	At      evidence.Pos  `json:"at"`
	Step    evidence.Span `json:"step"`
	Epoch   evidence.Span `json:"epoch"`
	Role    evidence.Role `json:"role,omitempty"`
	Caller  string        `json:"caller,omitempty"` // file and line of the trainer that reported it by a call
	Samples *int64        `json:"n,omitempty"`
	Sample  string        `json:"one_sample,omitempty"` // what one sample is worth: "1/37 = 0.027"
	Ranks   string        `json:"ranks,omitempty"`      // "0-7", when ranks were folded into one row
	Remarks []string      `json:"remarks,omitempty"`    // constant at every epoch; best won by less than one sample ...
	Digest  string        `json:"sha256,omitempty"`     // of an artifact, taken after it was closed
	// NoApplied: no applied optimizer step was seen behind the value; --allow does not cover it.
	NoApplied bool `json:"no_applied_steps,omitempty"`
}

// Reason is why a verdict is not TRUSTED, or a note beside it.
type Reason struct {
	Code    string  `json:"code"` // row of reasons.tsv
	Verdict Verdict `json:"verdict"`
	Text    string  `json:"text"` // the row's text with this case's figures
	Do      string  `json:"do,omitempty"`
	Refs    []Ref   `json:"evidence,omitempty"`

	NoApplied bool `json:"no_applied_steps,omitempty"` // no applied optimizer step was seen
}

// Ref points at the line that proves something.
type Ref struct {
	At   evidence.Pos `json:"at"`
	Text string       `json:"text,omitempty"` // untrusted log text
}

// Series is a training metric, cut where its verdict changes.
type Series struct {
	Name      string        `json:"name"`
	Printed   string        `json:"printed,omitempty"`
	Source    string        `json:"source"`
	Role      evidence.Role `json:"role"`
	Stretches []Stretch     `json:"stretches"`
}

// Stretch is neighbouring values of one verdict.
type Stretch struct {
	Verdict Verdict       `json:"verdict"`
	Level   Level         `json:"assurance"`
	Why     []Reason      `json:"reasons,omitempty"`
	From    evidence.Pos  `json:"from"`
	To      evidence.Pos  `json:"to"`
	Step    evidence.Span `json:"step"`
	Epoch   evidence.Span `json:"epoch"`
	First   evidence.Num  `json:"first"`
	Last    evidence.Num  `json:"last"`
	Text    string        `json:"text,omitempty"` // last value as printed
	N       int64         `json:"n"`
}

// Event is a marker, or a block of markers that are one event.
type Event struct {
	ID     string         `json:"id"`
	Scope  evidence.Scope `json:"scope"`
	Count  int64          `json:"count"`
	First  Ref            `json:"first"`
	Last   Ref            `json:"last"`
	Text   string         `json:"text"` // what it means for a number
	Effect string         `json:"effect,omitempty"`
	Note   string         `json:"note,omitempty"` // why it was set aside, if it was
}

// Note is a sentence with its evidence.
type Note struct {
	Code string `json:"code"`
	Text string `json:"text"`
	Do   string `json:"do,omitempty"`
	Refs []Ref  `json:"evidence,omitempty"`
}

// Steps is what is known of optimizer steps.
type Steps struct {
	Attempted  int64  `json:"attempted,omitempty"`
	Skipped    int64  `json:"skipped"`
	Effective  int64  `json:"effective,omitempty"`
	LowerBound bool   `json:"lower_bound,omitempty"` // only some skips are printed (rank 0, log interval)
	Text       string `json:"text"`
}

// SourceLine is a source as the report names it.
type SourceLine struct {
	ID    string `json:"id"`
	Kind  string `json:"kind"`
	Bytes int64  `json:"bytes"`
	Lines int64  `json:"lines,omitempty"`
	Note  string `json:"note,omitempty"`
}
