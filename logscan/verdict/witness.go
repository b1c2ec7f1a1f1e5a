package verdict

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// agree compares two printed values at the coarser printed precision. A
// fraction and the same value in percent agree.
func agree(a, b *evidence.Cell) bool {
	x, y := float64(a.Last), float64(b.Last)
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.IsNaN(x) && math.IsNaN(y)
	}
	unit := max(lastPlace(a.Text, x), lastPlace(b.Text, y))
	near := func(x, y, unit float64) bool { return math.Abs(x-y) <= unit*1.01 }
	return near(x, y, unit) || near(100*x, y, unit*100) || near(x, 100*y, unit*100)
}

// lastPlace is the value of the last printed digit.
func lastPlace(text string, value float64) float64 {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(strings.TrimSuffix(text, "%")), "e")
	exp, _ := strconv.Atoi(exponent)
	_, decimals, found := strings.Cut(mantissa, ".")
	if text == "" {
		return math.Abs(value) * 1e-6
	}
	if !found {
		return math.Pow10(exp)
	}
	return math.Max(math.Pow10(exp-len(decimals)), math.Abs(value)*1e-7) // float32 on one side
}

// measured is when a metric of a job was measured: at a step, or at an epoch.
type measured struct {
	metricKey
	epoch bool
	at    float64
}

// disagreements compares the evaluation values that two sources of one process
// hold for the same metric and the same step. Of a source without steps those of
// the same epoch are compared, if each of both holds one value of that epoch.
func (j *judge) disagreements() {
	steps, epochs := map[measured][]place{}, map[measured][]place{}
	for ti := range j.ev.Tracks {
		t := &j.ev.Tracks[ti]
		for ci := range t.Columns {
			c := &t.Columns[ci]
			if c.Role != evidence.Eval && c.Role != evidence.Final {
				continue
			}
			m := measured{metricKey: metricKey{j.source(t.Source).Group, c.Name, c.Split}}
			for ri := range t.Rows {
				row := &t.Rows[ri]
				if ci >= len(row.Cells) || row.Cells[ci].N != 1 || row.N > 1 {
					continue
				}
				p := place{ref{ti, ri}, ci}
				if step := stepClock(t, row); step.Has {
					m.epoch, m.at = false, float64(step.Last)
					steps[m] = append(steps[m], p)
				}
				if row.Epoch.Has && c.Role == evidence.Eval {
					m.epoch, m.at = true, float64(row.Epoch.Last)
					epochs[m] = append(epochs[m], p)
				}
			}
		}
	}
	for _, places := range steps {
		for _, p := range places[1:] {
			j.compare(places[0], p)
		}
	}
	for _, places := range epochs {
		if len(places) == 2 && !(j.hasStep(places[0]) && j.hasStep(places[1])) {
			j.compare(places[0], places[1])
		}
	}
}

func (j *judge) hasStep(p place) bool { return stepClock(j.track(p.ref), j.row(p.ref)).Has }

func (j *judge) compare(a, b place) {
	ta, tb := j.track(a.ref), j.track(b.ref)
	ca, cb := &j.row(a.ref).Cells[a.col], &j.row(b.ref).Cells[b.col]
	if ta.Source == tb.Source || !sameRank(j.source(ta.Source).Rank, j.source(tb.Source).Rank) ||
		ta.Columns[a.col].Window != tb.Columns[b.col].Window || agree(ca, cb) {
		return
	}
	how := fmt.Sprintf("%s says %s, %s says %s", at(j.row(a.ref).First), valueText(ca), at(j.row(b.ref).First), valueText(cb))
	for _, p := range []place{a, b} {
		c := &j.cells[p.track][p.ref.row][p.col]
		*c = settle(append(c.why, j.t.reason("witnesses-disagree", vars{"how": how}, j.lineRef(a.ref), j.lineRef(b.ref))))
	}
}
