package verdict

import (
	"fmt"
	"math"
	"slices"

	"github.com/trainvet/trainvet/logscan/evidence"
)

const (
	// meanCovered is the share of a run that its logged losses must reach before
	// a mean is held against them: behind an excerpt the loss may have fallen.
	meanCovered = 0.9
	// meanBelow is how far below its smallest part a mean must lie: the rest of
	// the run, not logged, can pull it down by its share.
	meanBelow = 0.9
)

// runMeans holds the means over a whole run (a last train_loss) against the
// training losses that they cover. One that was not finite, or was replaced,
// lies in the mean; and no mean lies below all its parts: a resumed HF Trainer
// divides the losses of its own steps by the steps of all processes.
func (j *judge) runMeans() {
	for ti := range j.ev.Tracks {
		t := &j.ev.Tracks[ti]
		for ci := range t.Columns {
			if !isRunMean(&t.Columns[ci]) {
				continue
			}
			for ri := range t.Rows {
				if ci < len(t.Rows[ri].Cells) && t.Rows[ri].Cells[ci].N > 0 {
					j.runMean(place{ref{ti, ri}, ci})
				}
			}
		}
	}
}

// isNotFinite: a part that is poisoned for another reason says so itself.
func isNotFinite(w Reason) bool {
	switch w.Code {
	case "not-finite", "hidden-nan", "window-not-finite", "loss-absent", "norm-stays":
		return true
	}
	return false
}

func isRunMean(c *evidence.Column) bool {
	return c.Kind == evidence.KindLoss && c.Window == evidence.WholeRun && (c.Split == "" || c.Split == "train")
}

func (j *judge) runMean(p place) {
	c := &j.cells[p.track][p.ref.row][p.col]
	parts := j.partsOf(p)
	for _, q := range parts {
		if part := &j.cells[q.track][q.ref.row][q.col]; slices.ContainsFunc(part.why, isNotFinite) {
			v := vars{"window": windowWords(evidence.WholeRun)}
			*c = settle(append(c.why, j.t.reason("window-not-finite", v, j.lineRef(q.ref))))
			break
		}
	}
	if q, ok := j.belowAll(p, parts); ok {
		how := fmt.Sprintf("the mean %s lies below every training loss that was logged, the smallest is %g", valueText(j.cell(p)), float64(j.cell(q).Min))
		*c = settle(append(c.why, j.t.reason("witnesses-disagree", vars{"how": how}, j.lineRef(p.ref), j.lineRef(q.ref))))
	}
}

func (j *judge) cell(p place) *evidence.Cell { return &j.row(p.ref).Cells[p.col] }

// partsOf lists the training losses of the process that printed the mean. A
// results file holds none: its parts are those of its group.
func (j *judge) partsOf(p place) []place {
	t, row := j.track(p.ref), j.row(p.ref)
	if own := j.lossesOf(t.Source, func(r *evidence.Row) bool {
		return r.First.Segment == row.First.Segment && r.First.Offset < row.First.Offset
	}); len(own) > 0 {
		return own
	}
	home := j.source(t.Source)
	var out []place
	for i := range j.ev.Sources {
		s := &j.ev.Sources[i]
		if s.ID == t.Source || s.Group != home.Group || !sameRank(s.Rank, home.Rank) {
			continue
		}
		if seq := j.seqs[s.ID]; len(seq) > 0 {
			last := j.row(seq[len(seq)-1]).First.Segment
			out = append(out, j.lossesOf(s.ID, func(r *evidence.Row) bool { return r.First.Segment == last })...)
		}
	}
	return out
}

func (j *judge) lossesOf(source string, covered func(*evidence.Row) bool) []place {
	var out []place
	for _, r := range j.seqs[source] {
		if row := j.row(r); covered(row) {
			for ci := range row.Cells {
				if row.Cells[ci].N > 0 && isIntervalLoss(j.track(r), ci) {
					out = append(out, place{r, ci})
				}
			}
		}
	}
	return out
}

func isIntervalLoss(t *evidence.Track, ci int) bool {
	if ci >= len(t.Columns) {
		return false
	}
	c := &t.Columns[ci]
	return c.Kind == evidence.KindLoss && c.Role == evidence.Series && c.Window == evidence.Interval && (c.Split == "" || c.Split == "train")
}

// belowAll reports whether the mean is smaller than each of its parts can
// explain, and the smallest part.
func (j *judge) belowAll(p place, parts []place) (least place, below bool) {
	mean := float64(j.cell(p).Last)
	if len(parts) < 2 || mean < 0 || math.IsNaN(mean) || math.IsInf(mean, 0) {
		return place{}, false
	}
	reached := 0.0
	for i, q := range parts {
		if j.cell(q).NonFinite > 0 {
			return place{}, false
		}
		if i == 0 || j.cell(q).Min < j.cell(least).Min {
			least = q
		}
		reached = max(reached, j.share(q.ref, p.ref))
	}
	return least, reached >= meanCovered && mean < meanBelow*float64(j.cell(least).Min)
}

// share is how far the row lies into what the summary's counters cover.
func (j *judge) share(q, summary ref) float64 {
	a, b := j.row(q), j.row(summary)
	switch {
	case a.Step.Has && b.Step.Has && b.Step.Last > 0:
		return float64(a.Step.Last) / float64(b.Step.Last)
	case a.Epoch.Has && b.Epoch.Has && b.Epoch.Last > 0:
		return float64(a.Epoch.Last) / float64(b.Epoch.Last)
	}
	return 0
}
