package verdict

import (
	"fmt"
	"math"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// How far a value must move between two records of neighbouring steps, of which
// a resume parts the runs.
const (
	jumpRatio = 3   // learning rate in any direction, loss upwards
	riseRatio = 1.2 // a learning rate that had been falling: it has no reason to rise
)

// resumes lists the places before a row at which its process went on from a checkpoint.
func (j *judge) resumes(row *evidence.Row) []Ref {
	var out []Ref
	for _, b := range j.near.boundaries[row.First.Source] {
		if b.At.Offset <= row.First.Offset && b.Resumed != nil && *b.Resumed != 0 {
			out = append(out, Ref{At: b.At, Text: b.Text})
		}
	}
	for _, a := range j.near.resumes[row.First.Source] {
		if a.At.Offset < row.First.Offset {
			out = append(out, Ref{At: a.At, Text: "resumed from " + a.Path})
		}
	}
	return out
}

// jumpedBack: at a resume the step counter goes on, but learning rate, loss or
// data counter jump back: optimizer, schedule or data position were not restored.
func (j *judge) jumpedBack(r ref) []Reason {
	for _, seam := range j.resumes(j.row(r)) {
		if how := j.jump(seam.At); how != "" {
			return []Reason{j.t.reason("jumped-back", vars{"how": how + " at " + at(seam.At)}, seam)}
		}
	}
	return nil
}

// resumedPartly: the run says that it went on without the state of its
// optimizer or schedule, and trained.
func (j *judge) resumedPartly(r ref) []Reason {
	row := j.row(r)
	for _, a := range j.actingOn(row.First.Source) {
		m := a.marker
		if m.Effect != "resume" || !j.produced(a, r) || !j.trainedBetween(m, row) {
			continue
		}
		for _, seam := range j.resumes(row) {
			if seam.At.Segment == m.First.Segment {
				return []Reason{j.t.reason("resumed-partly", vars{"marker": name(m)}, seam, markerRef(m))}
			}
		}
	}
	return nil
}

func (j *judge) jump(at evidence.Pos) string {
	for _, ti := range j.near.tracks[at.Source] {
		t := &j.ev.Tracks[ti]
		before, after := around(t, at.Offset)
		if before < 0 {
			continue
		}
		for ci := range t.Columns {
			if how := jumpIn(t, before, after, ci); how != "" {
				return how
			}
		}
	}
	return ""
}

// around finds the first row behind a place, and the last one before it whose
// counter it goes on from: a run that fell back to its checkpoint repeats steps.
func around(t *evidence.Track, offset int64) (before, after int) {
	for after = range t.Rows {
		if t.Rows[after].First.Offset >= offset {
			break
		}
	}
	if len(t.Rows) == 0 || t.Rows[after].First.Offset < offset {
		return -1, -1
	}
	for before = after - 1; before >= 0; before-- {
		if goesOn(t, &t.Rows[before], &t.Rows[after]) {
			return before, after
		}
	}
	return -1, -1
}

// goesOn: b is of a later moment of the training than a.
func goesOn(t *evidence.Track, a, b *evidence.Row) bool {
	switch x, y := stepClock(t, a), stepClock(t, b); {
	case x.Has && y.Has:
		return x.Last < y.First
	case a.Epoch.Has && b.Epoch.Has:
		return a.Epoch.Last < b.Epoch.First
	}
	return true
}

func jumpIn(t *evidence.Track, before, after, ci int) string {
	c, x, y := &t.Columns[ci], &t.Rows[before], &t.Rows[after]
	if ci >= len(x.Cells) || ci >= len(y.Cells) || x.Cells[ci].N == 0 || y.Cells[ci].N == 0 {
		return ""
	}
	a, b := float64(x.Cells[ci].Last), float64(y.Cells[ci].First)
	if math.IsNaN(a) || math.IsNaN(b) {
		return ""
	}
	words := fmt.Sprintf("%s %s -> %s", c.Printed, x.Cells[ci].Text, number(b))
	switch {
	case c.Kind == evidence.KindRate && a > 0 && b > 0 && (b/a >= jumpRatio || a/b >= jumpRatio || (b/a >= riseRatio && wasFalling(t, before, ci))):
		return words
	case c.Kind == evidence.KindLoss && c.Role == evidence.Series && a > 0 && b >= jumpRatio*a:
		return words
	case c.Kind == evidence.KindCount && strings.Contains(c.Name, "consumed") && b < a && x.Step.Has && y.Step.Has:
		return words
	}
	return ""
}

// wasFalling: the value was higher before, in rows up to this one.
func wasFalling(t *evidence.Track, row, ci int) bool {
	last := t.Rows[row].Cells[ci].Last
	for ri := range row + 1 {
		if cells := t.Rows[ri].Cells; ci < len(cells) && cells[ci].N > 0 && cells[ci].Max > last {
			return true
		}
	}
	return false
}
