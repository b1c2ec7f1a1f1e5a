package verdict

import (
	"math"
	"slices"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// ofNothing: a guard saw that something was evaluated without a sample, or that
// a number was put where a value is missing. Which of the values it is, the
// finding may not know.
func ofNothing(f *evidence.Finding) bool {
	return f.Code == "empty-evaluation" && f.Metric == "" || f.Code == "metric-defaulted"
}

// fromNothing reports whether a value may be one that was computed from nothing:
// an evaluation's, and a number to which no sample leads.
func fromNothing(row *evidence.Row, col *evidence.Column, ci int) bool {
	if col.Role != evidence.Eval && col.Role != evidence.Final || ci >= len(row.Cells) {
		return false
	}
	v := float64(row.Cells[ci].Last)
	return row.Cells[ci].NonFinite > 0 || math.IsNaN(v) || slices.Contains([]float64{0, 1, 100, -1}, v)
}
