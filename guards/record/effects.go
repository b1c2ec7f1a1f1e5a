package record

import (
	_ "embed"
	"fmt"
	"strings"
)

// Effect is what a fault or finding does to the metrics in its scope (C2).
type Effect string

// The effects, from worst to mildest.
const (
	Poison  Effect = "poison"  // the value is proven not to be the measurement that its name claims
	Unprove Effect = "unprove" // there is a reason to doubt the value
	Degrade Effect = "degrade" // the value is true, the training was not what it claims to be
	Note    Effect = "note"    // shown; changes no verdict
	Silent  Effect = "none"    // nothing is written
)

// Class says whose error a grade is.
type Class string

// The classes of error.
const (
	ClassFault   Class = "fault"   // the machine miscomputed, or may have: errors.Is(err, ErrFault)
	ClassQuality Class = "quality" // the model or the training is bad: errors.Is(err, ErrQuality)
	ClassDoubt   Class = "doubt"   // a suspicion that cannot be settled from here; no error
	ClassHook    Class = "hook"    // the guards themselves erred: lowers the assurance, no verdict
	ClassFine    Class = "fine"    // allowed
)

// Grade is one row of effects.tsv: what a code means for an error and a metric.
type Grade struct {
	Code   string
	Class  Class
	Effect Effect
	Text   string
}

//go:embed effects.tsv
var effectsTSV string

// Grades returns the table of C2. The guards hold their constants against it
// in tests; `explain` prints it.
func Grades() ([]Grade, error) {
	lines := strings.Split(strings.TrimSuffix(effectsTSV, "\n"), "\n")
	grades := make([]Grade, 0, len(lines))
	for i, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			return nil, fmt.Errorf("effects.tsv:%d: %d columns where 4 are expected", i+2, len(f))
		}
		grades = append(grades, Grade{Code: f[0], Class: Class(f[1]), Effect: Effect(f[2]), Text: f[3]})
	}
	return grades, nil
}

func (e Effect) valid() bool {
	switch e {
	case Poison, Unprove, Degrade, Note:
		return true
	}
	return false
}
