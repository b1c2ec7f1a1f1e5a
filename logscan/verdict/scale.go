package verdict

import (
	"fmt"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// scaleTurn is a record from which on the loss scale of a process is lost, or is
// there again.
type scaleTurn struct {
	at   ref
	lost bool
}

// collectScales finds where a loss scale that was printed as a positive number is
// printed as 0, or as no finite number. A scale that never was positive says that
// none is in use.
func (j *judge) collectScales() {
	j.scales = map[proc][]scaleTurn{}
	for source, seq := range j.seqs {
		for _, r := range seq {
			row := j.row(r)
			scale := scaleCell(j.track(r), row)
			if scale == nil {
				continue
			}
			p := proc{source, row.First.Segment}
			turns, lost := j.scales[p], !(scale.Last > 0 && scale.Last.Finite())
			if len(turns) == 0 && !lost || len(turns) > 0 && turns[len(turns)-1].lost != lost {
				j.scales[p] = append(turns, scaleTurn{r, lost})
			}
		}
	}
}

// scaleCell is the scale that a record prints, or nil. The reports of a scaler,
// which name the scales before and after a skipped step, are judged as skips.
func scaleCell(t *evidence.Track, row *evidence.Row) *evidence.Cell {
	var found *evidence.Cell
	for ci := range row.Cells {
		if ci >= len(t.Columns) || row.Cells[ci].N == 0 {
			continue
		}
		switch t.Columns[ci].Kind {
		case evidence.KindSkips:
			return nil
		case evidence.KindScale:
			found = &row.Cells[ci]
		}
	}
	return found
}

// lostScale: nothing that is multiplied by 0 is a gradient.
func (j *judge) lostScale(r ref) []Reason {
	row, now := j.row(r), scaleTurn{}
	for _, turn := range j.scales[proc{row.First.Source, row.First.Segment}] {
		if j.row(turn.at).First.Offset <= row.First.Offset {
			now = turn
		}
	}
	if !now.lost {
		return nil
	}
	_, _, applied := j.attemptedBefore(now.at, 0)
	scale := valueText(scaleCell(j.track(now.at), j.row(now.at)))
	v := vars{"how": fmt.Sprintf("the loss scale is %s from %s on", scale, where(j.track(now.at), j.row(now.at))), "applied": fmt.Sprint(applied)}
	return []Reason{j.t.reason("skips-at-floor", v, j.lineRef(now.at))}
}
