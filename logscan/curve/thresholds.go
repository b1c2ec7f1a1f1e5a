package curve

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed thresholds.tsv
var thresholdsTSV string

// Threshold is one adjustable number with the reason for its default.
type Threshold struct {
	Name    string
	Default float64
	Reason  string
}

// List gives every threshold in the order of the data file.
func List() []Threshold {
	var out []Threshold
	for _, f := range table(thresholdsTSV, 3) {
		v, err := strconv.ParseFloat(f[1], 64)
		if err != nil {
			continue // held by a test: every default is a number
		}
		out = append(out, Threshold{f[0], v, f[2]})
	}
	return out
}

// Thresholds are the numbers that the checks go by. The zero value means the
// defaults; a value is immutable.
type Thresholds struct{ set map[string]float64 }

// Defaults gives the thresholds of the data file.
func Defaults() Thresholds {
	t := Thresholds{set: map[string]float64{}}
	for _, x := range List() {
		t.set[x.Name] = x.Default
	}
	return t
}

// UnknownThresholdError names a threshold that is none.
type UnknownThresholdError struct{ Name string }

func (e *UnknownThresholdError) Error() string { return fmt.Sprintf("no threshold %q", e.Name) }

// With gives a copy with one threshold changed, or an [UnknownThresholdError].
func (t Thresholds) With(name string, v float64) (Thresholds, error) {
	out := Defaults()
	if _, ok := out.set[name]; !ok {
		return t, &UnknownThresholdError{name}
	}
	for k, x := range t.set {
		out.set[k] = x
	}
	out.set[name] = v
	return out, nil
}

// orDefaults fills the zero value, so that checks can index.
func (t Thresholds) orDefaults() Thresholds {
	if t.set == nil {
		return Defaults()
	}
	return t
}

func (t Thresholds) f(name string) float64 { return t.set[name] }
func (t Thresholds) n(name string) int     { return int(t.set[name]) }

// table splits a data file into rows of exactly n fields, without its header.
func table(tsv string, n int) (rows [][]string) {
	header := true
	for line := range strings.Lines(tsv) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if !header && len(f) == n {
			rows = append(rows, f)
		}
		header = false
	}
	return rows
}
