package compare

import (
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// Run is one audited run of an arm.
type Run struct {
	Path   string
	Result *verdict.Result
	// Printed are all values of a metric that the run shows, by key: they tell
	// of how many items they are shares.
	Printed map[Key][]Printed
	Kinds   map[Key]evidence.Kind
	Sources []string // files that were read
}

// Key names a metric across runs.
type Key struct{ Name, Split string }

func (k Key) String() string {
	if k.Split == "" || strings.Contains(k.Name, k.Split) {
		return k.Name
	}
	return k.Split + " " + k.Name
}

// NewRun takes what an audit says of a run.
func NewRun(path string, res *verdict.Result, ev *evidence.Evidence) Run {
	r := Run{Path: path, Result: res, Printed: map[Key][]Printed{}, Kinds: map[Key]evidence.Kind{}}
	for i := range ev.Sources {
		r.Sources = append(r.Sources, ev.Sources[i].ID)
	}
	for i := range ev.Tracks {
		t := &ev.Tracks[i]
		for c := range t.Columns {
			col := &t.Columns[c]
			if col.Role != evidence.Eval && col.Role != evidence.Final {
				continue
			}
			key := Key{col.Name, col.Split}
			r.Kinds[key] = col.Kind
			for _, row := range t.Rows {
				if c < len(row.Cells) && row.Cells[c].N > 0 {
					r.Printed[key] = append(r.Printed[key], Printed{float64(row.Cells[c].Last), row.Cells[c].Text})
				}
			}
		}
	}
	return r
}

// claim is the last claim of the metric, in the order of the sources.
func (r *Run) claim(key Key) *verdict.Subject {
	var last *verdict.Subject
	for i := range r.Result.Claims {
		c := &r.Result.Claims[i]
		if (Key{c.Name, c.Split}) != key || notFound(c) {
			continue
		}
		if last == nil || last.At.Source != c.At.Source || last.At.Offset <= c.At.Offset {
			last = c
		}
	}
	return last
}

// notFound reports a claim that was asked for by name and that no line makes: it
// has no value.
func notFound(c *verdict.Subject) bool {
	return slices.ContainsFunc(c.Why, func(r verdict.Reason) bool { return r.Code == "required-missing" })
}

// keys are the metrics of which the run has a claim, in its order.
func (r *Run) keys() []Key {
	var out []Key
	for i := range r.Result.Claims {
		c := &r.Result.Claims[i]
		if k := (Key{c.Name, c.Split}); !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

// Refusal is a run that must not be compared.
type Refusal struct {
	Arm    string   `json:"arm"`
	Run    string   `json:"run"`
	Metric string   `json:"metric,omitempty"`
	Why    []string `json:"why"`
}

// Training is how many optimizer steps a run says it attempted and lost.
type Training struct {
	Arm       string `json:"arm"`
	Run       string `json:"run"`
	Verdict   string `json:"verdict"`
	Attempted int64  `json:"attempted,omitempty"` // 0: the run does not say
	Skipped   int64  `json:"skipped"`
	Applied   int64  `json:"applied,omitempty"`
	AtLeast   bool   `json:"at_least,omitempty"` // only some of the skips are printed
	Text      string `json:"text,omitempty"`
}

func training(arm string, r *Run) Training {
	t := Training{Arm: arm, Run: r.Path, Verdict: r.Result.Headline.String() + " (" + r.Result.Level.String() + ")"}
	if r.Result.Headline != verdict.Trusted {
		t.Verdict = r.Result.Headline.String()
	}
	if s := r.Result.Steps; s != nil {
		t.Attempted, t.Skipped, t.AtLeast, t.Text = s.Attempted, s.Skipped, s.LowerBound, s.Text
		if s.Attempted > 0 {
			t.Applied = s.Attempted - s.Skipped
		}
	}
	return t
}
