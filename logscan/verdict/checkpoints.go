package verdict

import (
	"fmt"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// afterBadCheckpoint: a checkpoint of the same job holds parameters that are not
// finite, and the value was computed at its step or later. A model does not come
// back from there, unless a training loss shows that it was loaded anew.
func (j *judge) afterBadCheckpoint(r ref, ci int) []Reason {
	t := j.track(r)
	if t.Columns[ci].Window == evidence.Best {
		return nil
	}
	bad := j.badCheckpoints()
	if len(bad) == 0 { // nearly always: then nothing is worth a walk over the rows
		return nil
	}
	last, finite := j.trainedUpTo(r)
	for _, b := range bad {
		bt, brow := j.track(b), j.row(b)
		if bt.Source == t.Source || j.source(bt.Source).Group != j.source(t.Source).Group || !brow.Step.Has {
			continue
		}
		at := float64(brow.Step.Last)
		if last < at || finite > at {
			continue
		}
		from := fmt.Sprintf("step %s, at which a checkpoint holds parameters that are not finite,", number(at))
		return []Reason{j.t.reason("model-not-finite", vars{"from": from}, Ref{At: brow.First, Text: j.rowText(b)})}
	}
	return nil
}

// trainedUpTo is the last step that was printed before a row, in its process or
// by the row itself, and the last one of these whose training loss is finite.
func (j *judge) trainedUpTo(r ref) (last, finite float64) {
	row := j.row(r)
	last, finite = -1, -1
	for _, q := range j.seqs[row.First.Source] {
		qt, qrow := j.track(q), j.row(q)
		if qrow.First.Offset > row.First.Offset {
			break
		}
		step := stepClock(qt, qrow)
		if qrow.First.Segment != row.First.Segment || !step.Has {
			continue
		}
		last = max(last, float64(step.Last))
		if loss, training := trainingLossCell(qt, qrow); training && loss.NonFinite == 0 {
			finite = max(finite, float64(step.Last))
		}
	}
	return last, finite
}

// badCheckpoints are the rows by which readers of checkpoints say so.
func (j *judge) badCheckpoints() []ref {
	if j.bad != nil {
		return *j.bad
	}
	var out []ref
	for ti := range j.ev.Tracks {
		t := &j.ev.Tracks[ti]
		for ci := range t.Columns {
			if t.Columns[ci].Name != evidence.NonFiniteParameters {
				continue
			}
			for ri := range t.Rows {
				if row := &t.Rows[ri]; ci < len(row.Cells) && row.Cells[ci].N > 0 && row.Cells[ci].Last > 0 {
					out = append(out, ref{ti, ri})
				}
			}
		}
	}
	j.bad = &out
	return out
}
