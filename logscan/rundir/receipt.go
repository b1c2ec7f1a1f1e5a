package rundir

import (
	"errors"
	"fmt"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// ErrBelowCaptured says that a receipt was asked to vouch for a value of which
// only the log speaks.
var ErrBelowCaptured = errors.New("a receipt vouches for TRUSTED only from the assurance captured on")

// Receipt is what an audit signs: the verdicts with the digests of what they
// were read from.
type Receipt struct {
	Version  int             `json:"version"`
	Run      string          `json:"run,omitempty"` // id; empty: no run directory
	Trainvet string          `json:"trainvet"`
	Wall     int64           `json:"wall"`
	Headline verdict.Verdict `json:"headline"`
	Level    verdict.Level   `json:"assurance"`
	Subjects []Judged        `json:"subjects"`
	Config   string          `json:"config,omitempty"`  // SHA-256 of the effective configuration
	Trailer  string          `json:"trailer,omitempty"` // SHA-256 of trailer.json
	Files    []File          `json:"evidence"`          // what was read
}

// Judged is one subject with its verdict.
type Judged struct {
	Kind    string          `json:"kind"` // metric, artifact, run, machine
	Name    string          `json:"name"`
	Value   evidence.Num    `json:"value"`
	Text    string          `json:"text,omitempty"`
	Verdict verdict.Verdict `json:"verdict"`
	Level   verdict.Level   `json:"assurance"`
	Reasons []string        `json:"reasons,omitempty"` // codes
	At      evidence.Pos    `json:"at"`
	Step    evidence.Span   `json:"step"`
	Samples *int64          `json:"n,omitempty"`
}

// NewReceipt turns a result into a receipt. It refuses, with ErrBelowCaptured,
// a result that calls a claim or the run TRUSTED below captured.
func NewReceipt(r verdict.Result, files []File) (Receipt, error) {
	c := Receipt{Version: Version, Headline: r.Headline, Level: r.Level, Files: files}
	subjects := append([]verdict.Subject{}, r.Claims...)
	subjects = append(subjects, r.Artifacts...)
	subjects = append(subjects, r.Run)
	if r.Machine != nil {
		subjects = append(subjects, *r.Machine)
	}
	for _, s := range subjects {
		j := Judged{Kind: s.Kind, Name: s.Name, Value: s.Value, Text: s.Text, Verdict: s.Verdict, Level: s.Level,
			At: s.At, Step: s.Step, Samples: s.Samples}
		for _, why := range s.Why {
			j.Reasons = append(j.Reasons, why.Code)
		}
		c.Subjects = append(c.Subjects, j)
	}
	return c, c.check()
}

// check holds a receipt, one that was read included, against what receipts may say.
func (c *Receipt) check() error {
	if c.Headline == verdict.Trusted && c.Level < verdict.Captured {
		return fmt.Errorf("headline TRUSTED (%s): %w", c.Level, ErrBelowCaptured)
	}
	for _, s := range c.Subjects {
		if s.Verdict == verdict.Trusted && s.Level < verdict.Captured {
			return fmt.Errorf("%s %.80q TRUSTED (%s): %w", s.Kind, s.Name, s.Level, ErrBelowCaptured)
		}
	}
	return nil
}
