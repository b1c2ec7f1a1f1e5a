package verdict

import (
	"fmt"
	"slices"

	"github.com/trainvet/trainvet/logscan/evidence"
)

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
	j.atStep = steps
	for _, places := range steps {
		j.compareAll(places)
	}
	for _, places := range epochs {
		if len(places) == 2 && j.called(places[0]) == j.called(places[1]) && !(j.hasStep(places[0]) && j.hasStep(places[1])) {
			j.compare(places[0], places[1])
		}
	}
}

// compareAll holds all values of one step against the first. What was called is
// held against what was printed, of which one has to be the same.
func (j *judge) compareAll(places []place) {
	printed := slices.DeleteFunc(slices.Clone(places), j.called)
	for _, p := range places {
		with := slices.DeleteFunc(slices.Clone(printed), func(q place) bool { return !j.witnesses(p, q) })
		switch {
		case !j.called(p):
			j.compare(printed[0], p)
		case len(with) > 0 && !slices.ContainsFunc(with, func(q place) bool { return evidence.Agree(j.cell(p), j.cell(q)) }):
			j.compare(with[0], p)
		}
	}
}

func (j *judge) hasStep(p place) bool { return stepClock(j.track(p.ref), j.row(p.ref)).Has }

func (j *judge) compare(a, b place) {
	ta, tb := j.track(a.ref), j.track(b.ref)
	ca, cb := &j.row(a.ref).Cells[a.col], &j.row(b.ref).Cells[b.col]
	if ta.Source == tb.Source && j.called(a) == j.called(b) || !sameRank(j.source(ta.Source).Rank, j.source(tb.Source).Rank) ||
		ta.Columns[a.col].Window != tb.Columns[b.col].Window || evidence.Agree(ca, cb) {
		return
	}
	how := fmt.Sprintf("%s says %s, %s says %s", at(j.lineRef(a.ref).At), valueText(ca), at(j.lineRef(b.ref).At), valueText(cb))
	for _, p := range []place{a, b} {
		c := &j.cells[p.track][p.ref.row][p.col]
		*c = settle(append(c.why, j.t.reason("witnesses-disagree", vars{"how": how}, j.lineRef(a.ref), j.lineRef(b.ref))))
	}
}
