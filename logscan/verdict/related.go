package verdict

import (
	"github.com/trainvet/trainvet/logscan/evidence"
)

// Two logs in one folder may tell of one run (a logger's file beside the
// console's output) or of two (a sweep). Names do not tell; what they measured
// does: one run has one training loss at one step.

// unrelated reports whether two sources are the logs of different runs: both
// hold training losses, and at the same counters these differ.
func (j *judge) unrelated(a, b *evidence.Source) bool {
	if a.ID == b.ID || a.Rank != nil || b.Rank != nil || a.Stream != "" || b.Stream != "" {
		return false
	}
	key := [2]string{min(a.ID, b.ID), max(a.ID, b.ID)}
	if known, ok := j.strangers[key]; ok {
		return known
	}
	differ := j.differ(j.trainingOf(a.ID), j.trainingOf(b.ID))
	j.strangers[key] = differ
	return differ
}

// lossAt is a training loss by its name and counter.
type lossAt struct {
	name        string
	step, epoch float64
}

// maxCompared bounds the losses of a source that are held against another's.
const maxCompared = 256

// trainingOf lists the training losses of a source by counter; one that stands
// several times at a counter names no moment and is left out.
func (j *judge) trainingOf(source string) map[lossAt]*evidence.Cell {
	out := map[lossAt]*evidence.Cell{}
	twice := map[lossAt]bool{}
	for _, r := range j.seqs[source] {
		t, row := j.track(r), j.row(r)
		if row.N > 1 || (!row.Step.Has && !row.Epoch.Has) || len(out) >= maxCompared {
			continue
		}
		for ci := range row.Cells {
			if ci >= len(t.Columns) || row.Cells[ci].N == 0 || t.Columns[ci].Kind != evidence.KindLoss || t.Columns[ci].Role != evidence.Series {
				continue
			}
			key := lossAt{t.Columns[ci].Name, -1, -1}
			if row.Step.Has {
				key.step = float64(row.Step.Last)
			}
			if row.Epoch.Has {
				key.epoch = float64(row.Epoch.Last)
			}
			if _, seen := out[key]; seen || twice[key] {
				twice[key] = true
				delete(out, key)
				continue
			}
			out[key] = &row.Cells[ci]
		}
	}
	return out
}

// differ: most of the losses that both name at one counter are not the same.
func (j *judge) differ(a, b map[lossAt]*evidence.Cell) bool {
	same, other := 0, 0
	for key, x := range a {
		if y := b[key]; y != nil {
			if evidence.Agree(x, y) {
				same++
			} else {
				other++
			}
		}
	}
	return other > same
}
