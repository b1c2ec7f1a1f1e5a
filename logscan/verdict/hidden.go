package verdict

import (
	"github.com/trainvet/trainvet/logscan/evidence"
)

// hiddenReach is how many records behind a non-finite value an exact 0.0 still
// counts as following it.
const hiddenReach = 3

// hiddenNaN: a trainer may replace a NaN loss before it prints it. An exact 0.0
// alone proves nothing, healthy runs print it; a second witness is needed: a
// non-finite value beside it or shortly before it, or a gradient norm that is
// stuck.
func (j *judge) hiddenNaN(r ref, ci int) []Reason {
	t, row := j.track(r), j.row(r)
	if t.Columns[ci].Role != evidence.Series || row.Cells[ci].Min != 0 || row.Cells[ci].Max != 0 {
		return nil
	}
	if w := j.nonFiniteBeside(r, ci); w != "" {
		return []Reason{j.t.reason("hidden-nan", vars{"witness": w + " stands beside it"}, j.lineRef(r))}
	}
	if q, ok := j.nonFiniteBefore(r, ci); ok {
		return []Reason{j.t.reason("hidden-nan", vars{"witness": "it follows a value that is not finite"}, j.lineRef(r), j.lineRef(q))}
	}
	if q, ok := j.lostEvalBeside(r); ok {
		return []Reason{j.t.reason("hidden-nan", vars{"witness": "the evaluation at the same step is not finite"}, j.lineRef(r), j.lineRef(q))}
	}
	for ni := range row.Cells {
		if ni >= len(t.Columns) || row.Cells[ni].N == 0 || t.Columns[ni].Kind != evidence.KindNorm {
			continue
		}
		if q, ok := j.repeats(r, ni); ok {
			return []Reason{j.t.reason("hidden-nan", vars{"witness": "its gradient norm is stuck"}, j.lineRef(r), j.lineRef(q))}
		}
	}
	return nil
}

// lostEvalBeside finds the evaluation that stands right behind a training record,
// at its step, if its loss is not finite.
func (j *judge) lostEvalBeside(r ref) (ref, bool) {
	t, row := j.track(r), j.row(r)
	step := stepClock(t, row)
	if !step.Has || row.N > 1 {
		return ref{}, false
	}
	for _, q := range j.seqs[row.First.Source] {
		qt, qrow := j.track(q), j.row(q)
		if qrow.First.Segment != row.First.Segment || qrow.First.Offset <= row.First.Offset {
			continue
		}
		at := stepClock(qt, qrow)
		return q, at.Has && at.First == step.Last && isEvalRow(qt, qrow) && nonFiniteLoss(qt, qrow)
	}
	return ref{}, false
}

func (j *judge) nonFiniteBeside(r ref, ci int) string {
	t, row := j.track(r), j.row(r)
	for mi := range row.Cells {
		if mi != ci && mi < len(t.Columns) && row.Cells[mi].NonFinite > 0 && t.Columns[mi].Role != evidence.Speed {
			return t.Columns[mi].Printed + " " + valueText(&row.Cells[mi])
		}
	}
	return ""
}

// nonFiniteBefore walks back over the records of the process: a non-finite loss
// or evaluation loss within reach, or a chain of exact zeros that leads to one.
func (j *judge) nonFiniteBefore(r ref, ci int) (ref, bool) {
	row := j.row(r)
	seq := j.seqs[row.First.Source]
	left := hiddenReach
	for i := len(seq) - 1; i >= 0 && left > 0; i-- {
		q := seq[i]
		qt, qrow := j.track(q), j.row(q)
		if qrow.First.Segment != row.First.Segment || qrow.First.Offset >= row.First.Offset {
			continue
		}
		if nonFiniteLoss(qt, qrow) {
			return q, true
		}
		if !zeroLoss(qt, qrow) {
			left--
		}
	}
	return ref{}, false
}

func zeroLoss(t *evidence.Track, row *evidence.Row) bool {
	c, ok := trainingLossCell(t, row)
	return ok && c.Min == 0 && c.Max == 0
}

// windowAroundNaN: an interval's mean holds the steps between two records. If
// an evaluation between them found the model not finite, and the next training
// record is not well either, the interval holds steps of a lost model.
func (j *judge) windowAroundNaN(r ref, ci int) []Reason {
	t, row := j.track(r), j.row(r)
	if w := t.Columns[ci].Window; t.Columns[ci].Role != evidence.Series || (w != evidence.Interval && w != evidence.Running) || row.N > 1 {
		return nil
	}
	lost, found := j.lostEvalBefore(r)
	if !found || !j.nextIsLost(r, ci) {
		return nil
	}
	return []Reason{j.t.reason("window-not-finite", vars{"window": "the steps since the record before"}, j.lineRef(lost), j.lineRef(r))}
}

// lostEvalBefore finds an evaluation with a non-finite loss between the row and
// the training record before it.
func (j *judge) lostEvalBefore(r ref) (ref, bool) {
	row := j.row(r)
	seq := j.seqs[row.First.Source]
	for i := len(seq) - 1; i >= 0; i-- {
		q := seq[i]
		qt, qrow := j.track(q), j.row(q)
		if qrow.First.Segment != row.First.Segment || qrow.First.Offset >= row.First.Offset {
			continue
		}
		if isEvalRow(qt, qrow) {
			if nonFiniteLoss(qt, qrow) {
				return q, true
			}
			return ref{}, false
		}
		if _, training := trainingLossCell(qt, qrow); training {
			return ref{}, false
		}
	}
	return ref{}, false
}

func (j *judge) nextIsLost(r ref, ci int) bool {
	t, row := j.track(r), j.row(r)
	for ri := r.row + 1; ri < len(t.Rows); ri++ {
		next := &t.Rows[ri]
		if next.First.Segment != row.First.Segment || ci >= len(next.Cells) || next.Cells[ci].N == 0 {
			continue
		}
		c := &next.Cells[ci]
		return c.NonFinite > 0 || (c.Min == 0 && c.Max == 0)
	}
	return false
}
