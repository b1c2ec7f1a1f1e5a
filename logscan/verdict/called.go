package verdict

import (
	"slices"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// A value may be reported by a call and be printed too. It is one value then: the
// record has its digits and the number of its samples, the log its line.

func (j *judge) called(p place) bool { return evidence.Called(j.track(p.ref)) }

// sameMoment reports whether a value that was called and one that was printed
// tell of one measurement: by their clocks, else because no other value of the
// metric lies between them.
func (j *judge) sameMoment(called, printed place) bool {
	rc, rp := j.row(called.ref), j.row(printed.ref)
	sc, sp := stepClock(j.track(called.ref), rc), stepClock(j.track(printed.ref), rp)
	switch {
	case sc.Has && sp.Has:
		return sc.Last == sp.Last
	case rc.Epoch.Has && rp.Epoch.Has:
		return sameEpoch(rc, rp)
	case rc.First.Source == rp.First.Source && rc.First.Segment == rp.First.Segment:
		lo, hi := min(rc.First.Offset, rp.First.Offset), max(rc.Last.Offset, rp.Last.Offset)
		return !j.anyWithin(called, lo, hi) && !j.anyWithin(printed, lo, hi)
	}
	return j.alone(called) && j.alone(printed)
}

// anyWithin reports whether another value of the column lies between two places.
func (j *judge) anyWithin(p place, lo, hi int64) bool {
	t := j.track(p.ref)
	for ri := range t.Rows {
		row := &t.Rows[ri]
		if ri != p.ref.row && holdsCell(row, p.col) && row.Last.Offset >= lo && row.First.Offset <= hi {
			return true
		}
	}
	return false
}

// alone: the column holds no other value.
func (j *judge) alone(p place) bool {
	t := j.track(p.ref)
	for ri := range t.Rows {
		if row := &t.Rows[ri]; holdsCell(row, p.col) && (ri != p.ref.row || row.N > 1) {
			return false
		}
	}
	return true
}

func holdsCell(row *evidence.Row, col int) bool { return col < len(row.Cells) && row.Cells[col].N > 0 }

// witnesses reports whether a called and a printed value may be held against
// each other: they measure the same in one process.
func (j *judge) witnesses(called, printed place) bool {
	a, b := &j.track(called.ref).Columns[called.col], &j.track(printed.ref).Columns[printed.col]
	return j.called(called) && !j.called(printed) && a.Window == b.Window && sameRank(j.rank(j.track(called.ref)), j.rank(j.track(printed.ref)))
}

// calledDisagree compares the last value that was called of each evaluation
// metric with the last that was printed. Where both have steps that is done for
// each step already.
func (j *judge) calledDisagree() {
	for _, places := range j.lastOf(func(c *evidence.Column) bool { return c.Role == evidence.Eval || c.Role == evidence.Final }) {
		for _, called := range places {
			for _, printed := range places {
				if !j.witnesses(called, printed) || j.hasStep(called) && j.hasStep(printed) ||
					j.track(called.ref).Columns[called.col].Role != j.track(printed.ref).Columns[printed.col].Role {
					continue
				}
				if j.sameMoment(called, printed) {
					j.compare(called, printed)
				}
			}
		}
	}
}

// joinCalled makes one subject of a value that was called and printed. The worst
// of both verdicts counts: each may have seen what the other did not.
func (j *judge) joinCalled(places []place, subjects []Subject) ([]place, []Subject) {
	if !slices.ContainsFunc(places, j.called) {
		return places, subjects
	}
	gone := make([]bool, len(places))
	for i, called := range places {
		if !j.called(called) {
			continue
		}
		for k, printed := range places {
			if gone[k] || !j.witnesses(called, printed) || !j.oneValue(called, printed) {
				continue
			}
			gone[k] = true
			s, p := &subjects[i], &subjects[k]
			s.At, s.Printed = p.At, p.Printed
			if !s.Step.Has {
				s.Step = p.Step
			}
			if !s.Epoch.Has {
				s.Epoch = p.Epoch
			}
			s.Verdict, s.Level = max(s.Verdict, p.Verdict), max(s.Level, p.Level)
			s.Why = firstOfEach(settle(slices.Concat(p.Why, s.Why)).why)
			s.NoApplied = s.NoApplied || p.NoApplied
		}
	}
	var keptPlaces []place
	var kept []Subject
	for i := range places {
		if !gone[i] {
			keptPlaces, kept = append(keptPlaces, places[i]), append(kept, subjects[i])
		}
	}
	return keptPlaces, kept
}

// oneValue: the same digits as far as they are printed, and no clocks that differ.
func (j *judge) oneValue(called, printed place) bool {
	if !evidence.Agree(j.cell(called), j.cell(printed)) {
		return false
	}
	rc, rp := j.row(called.ref), j.row(printed.ref)
	sc, sp := stepClock(j.track(called.ref), rc), stepClock(j.track(printed.ref), rp)
	if sc.Has && sp.Has {
		return sc.Last == sp.Last
	}
	return !rc.Epoch.Has || !rp.Epoch.Has || sameEpoch(rc, rp)
}

func sameEpoch(a, b *evidence.Row) bool {
	d := float64(a.Epoch.Last - b.Epoch.Last)
	return d < 0.005 && d > -0.005 // epochs are printed with two decimals
}

// alsoPrinted reports whether a value that was called stands in the log too, at the
// same step and with the same verdict.
func (j *judge) alsoPrinted(p place) bool {
	t := j.track(p.ref)
	if !evidence.Called(t) || !stepClock(t, j.row(p.ref)).Has {
		return false
	}
	c := &t.Columns[p.col]
	for _, q := range j.atStep[measured{metricKey{j.source(t.Source).Group, c.Name, c.Split}, false, float64(stepClock(t, j.row(p.ref)).Last)}] {
		if j.witnesses(p, q) && j.oneValue(p, q) && j.cells[q.track][q.ref.row][q.col].verdict == j.cells[p.track][p.ref.row][p.col].verdict {
			return true
		}
	}
	return false
}
