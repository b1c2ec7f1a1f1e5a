package device

import (
	_ "embed"
	"strings"

	"github.com/trainvet/trainvet/internal/machine"
)

// exclusionsTSV lists why a device is left out, or looked at with care: data,
// each row with its source.
//
//go:embed exclusions.tsv
var exclusionsTSV string

// Exclusion is a reason against a device.
type Exclusion struct {
	Kind   string `json:"kind"`
	Code   string `json:"code"`
	Effect string `json:"effect"` // out: not chosen by auto; warn: chosen, and said
	Text   string `json:"text"`
}

// Use is what the caller knows of what will be run; zero: nothing.
type Use struct {
	Ops        []string // names of operators that the model is known to need
	Parameters int64    // of the model
	Memory     int64    // bytes that it is known to need
}

// exclusions are the rows that hold for a device and what it shall be used for.
func exclusions(d machine.Device, use Use) []Exclusion {
	var out []Exclusion
	for row := range strings.Lines(exclusionsTSV) {
		f := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(f) != 6 || f[0] != d.Kind || !applies(f[2], f[3], d, use) {
			continue
		}
		out = append(out, Exclusion{Kind: d.Kind, Code: f[1], Effect: f[4], Text: f[5]})
	}
	return out
}

func applies(test, value string, d machine.Device, use Use) bool {
	switch test {
	case "op":
		for _, op := range use.Ops {
			if op == value {
				return true
			}
		}
	case "parameters below":
		return use.Parameters > 0 && use.Parameters < number(value)
	case "needs memory":
		return use.Memory > 0 && d.Memory > 0 && use.Memory > d.Memory
	case "recovery":
		r := d.Detail("recovery")
		return r != "" && r != "None"
	}
	return false
}

func number(text string) (n int64) {
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0
		}
		n = 10*n + int64(c-'0')
	}
	return n
}
