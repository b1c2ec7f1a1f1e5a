package verdict

import (
	"math"
	"slices"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// window is the look-back window of a fault: from the first deviation to the
// marker. An evaluation whose next training record deviates belongs to it.
type window struct {
	source  string
	segment int
	from    int64 // offset of the first row in it
	until   int64 // offset of the marker
	first   ref   // the row that deviates
}

func (w *window) holds(row *evidence.Row) bool {
	return row.First.Source == w.source && row.First.Segment == w.segment &&
		row.Last.Offset >= w.from && row.First.Offset < w.until
}

func (j *judge) lookBack(f *fault) Reason {
	r := f.look.first
	return j.t.reason("look-back", vars{"from": where(j.track(r), j.row(r)), "marker": name(f.marker)}, j.lineRef(r), markerRef(f.marker))
}

// lateAttr marks faults that may have begun before the process was stopped by
// them: a memory cell that is lost, an address that was wrong before it lay
// outside. A check that stops at once, an assertion or a timeout, is none.
const lateAttr = "late"

// findWindows looks back from every fault after which the process may go on.
// Where it stops, values were read back before the error could be raised; only
// what deviates up to a late fault is in doubt, and not what had recovered.
func (j *judge) findWindows() {
	medians := map[proc]float64{} // a process may meet many faults
	for _, f := range j.faults {
		if f.marker.Goes == evidence.Stops && f.marker.Attrs[lateAttr] == "" {
			continue
		}
		p := proc{f.event.At.Source, f.event.At.Segment}
		median, known := medians[p]
		if !known {
			median = j.medianStepTime(p)
			medians[p] = median
		}
		f.look = j.windowBefore(f, median)
	}
}

// windowBefore is told the process's usual step time.
func (j *judge) windowBefore(f *fault, median float64) *window {
	at := f.event.At
	var w *window
	var before ref // last evaluation row without a training row behind it
	haveBefore := false
	prev := math.NaN() // training loss before
	level := prev      // and before the window
	stops := f.marker.Goes == evidence.Stops
	for _, r := range j.seqs[at.Source] {
		t, row := j.track(r), j.row(r)
		if j.apart(f.marker, t, row) || row.First.Offset >= at.Offset {
			continue
		}
		near := at.Offset-row.First.Offset <= j.cfg.LookBackBytes
		loss, training := trainingLoss(t, row)
		deviates := near && (nonFiniteLoss(t, row) || slower(t, row, median, j.cfg) ||
			(training && ratioOver(loss, prev, j.cfg.LossRatio)))
		if stops && training && w != nil && !deviates && !ratioOver(loss, level, j.cfg.LossRatio) {
			w = nil // it had recovered
		}
		switch {
		case deviates && w == nil:
			level = prev
			w = &window{source: at.Source, segment: row.First.Segment, from: row.First.Offset, until: at.Offset, first: r}
			if training && haveBefore {
				w.from = j.row(before).First.Offset
			}
		case training:
			haveBefore = false
		}
		if isEvalRow(t, row) {
			before, haveBefore = r, true
		}
		if !math.IsNaN(loss) {
			prev = loss
		}
	}
	return w
}

// ratioOver compares losses of one sign only: negative losses have no ratio.
func ratioOver(now, before, ratio float64) bool {
	return before > 0 && now >= ratio*before
}

// trainingLoss is the last training loss of a row. training is false for the
// training loss that an evaluation prints: it is a reference for the next
// record, never a deviation itself.
func trainingLoss(t *evidence.Track, row *evidence.Row) (loss float64, training bool) {
	loss = math.NaN()
	for ci := range row.Cells {
		if ci >= len(t.Columns) || row.Cells[ci].N == 0 {
			continue
		}
		c := &t.Columns[ci]
		if c.Kind != evidence.KindLoss || c.Split == "val" || c.Split == "test" {
			continue
		}
		if math.IsNaN(loss) || c.Role == evidence.Series {
			loss = float64(row.Cells[ci].Last)
		}
		training = training || c.Role == evidence.Series
		if c.Role == evidence.Series {
			break
		}
	}
	return loss, training
}

func nonFiniteLoss(t *evidence.Track, row *evidence.Row) bool {
	for ci := range row.Cells {
		if ci < len(t.Columns) && row.Cells[ci].NonFinite > 0 && t.Columns[ci].Kind == evidence.KindLoss &&
			row.Note&evidence.NotePlaceholder == 0 {
			return true
		}
	}
	return false
}

func slower(t *evidence.Track, row *evidence.Row, median float64, cfg *Config) bool {
	if median <= 0 {
		return false
	}
	for ci := range row.Cells {
		if ci < len(t.Columns) && row.Cells[ci].N > 0 && t.Columns[ci].Kind == evidence.KindStepTime &&
			float64(row.Cells[ci].Max) >= cfg.StepTimeRatio*median {
			return true
		}
	}
	return false
}

func isEvalRow(t *evidence.Track, row *evidence.Row) bool {
	for ci := range row.Cells {
		if ci < len(t.Columns) && row.Cells[ci].N > 0 && t.Columns[ci].Role == evidence.Eval {
			return true
		}
	}
	return false
}

func (j *judge) medianStepTime(p proc) float64 {
	var times []float64
	for _, r := range j.seqs[p.source] {
		t, row := j.track(r), j.row(r)
		if row.First.Segment != p.segment {
			continue
		}
		for ci := range row.Cells {
			if ci < len(t.Columns) && row.Cells[ci].N > 0 && t.Columns[ci].Kind == evidence.KindStepTime {
				times = append(times, float64(row.Cells[ci].Last))
			}
		}
	}
	if len(times) < 3 {
		return 0
	}
	slices.Sort(times)
	return times[len(times)/2]
}
