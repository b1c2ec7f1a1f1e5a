package verdict

import (
	"math"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/order"
)

// event is where a finding stands among the values. One that is spoken of later
// than the step it holds from, as what only the end of a run shows, stands where
// the process had made that step: what was printed behind it is concerned.
func (j *judge) event(f *evidence.Finding) order.Event {
	e := order.Event{At: f.At, Sink: f.Sink, Step: f.From}
	if f.From == nil || f.Class != "quality" {
		return e
	}
	p := j.behindStep(f.Pid, *f.From)
	if p == nil || p.At.Source != f.At.Source || p.At.Offset >= f.At.Offset {
		return e
	}
	if f.Sink != nil && (p.Sink == nil || p.Sink.Source != f.Sink.Source || p.Sink.Offset >= f.Sink.Offset) {
		return e // it stands in the log already where it began to hold
	}
	e.At, e.Sink = p.At, p.Sink
	return e
}

// behindStep is the first moment at which each optimizer of a process had made
// more steps than these.
func (j *judge) behindStep(pid int, step float64) *evidence.StepPoint {
	var last *evidence.StepPoint
	for i := range j.ev.Run.Steps {
		l := &j.ev.Run.Steps[i]
		if l.Pid != pid {
			continue
		}
		p := firstPoint(l, func(p *evidence.StepPoint) bool { return float64(p.Attempted) > step })
		if p == nil {
			return nil
		}
		if last == nil || p.At.Offset > last.At.Offset {
			last = p
		}
	}
	return last
}

func firstPoint(l *evidence.StepLedger, is func(*evidence.StepPoint) bool) *evidence.StepPoint {
	for i := range l.Points {
		if is(&l.Points[i]) {
			return &l.Points[i]
		}
	}
	return nil
}

// countsOther reports whether a table's counter is none of optimizer steps, though
// nothing names it: between its first row and its last each optimizer that worked
// made at least twice as many. "[3] loss 0.4" may be an epoch.
func (j *judge) countsOther(t *evidence.Track) bool {
	if j.ev.Run == nil || len(t.Rows) < 2 {
		return false
	}
	a, b := &t.Rows[0], &t.Rows[len(t.Rows)-1]
	if !a.Step.Has || !b.Step.Has || b.Step.Last <= a.Step.Last || a.First.Segment != b.First.Segment {
		return false
	}
	least := int64(math.MaxInt64)
	for i := range j.ev.Run.Steps {
		if made := madeBetween(&j.ev.Run.Steps[i], a.First, b.First); made > 0 {
			least = min(least, made)
		}
	}
	return least != math.MaxInt64 && float64(least) >= 2*float64(b.Step.Last-a.Step.Last)
}

// madeBetween is how many steps an optimizer made at the least between two places
// of a log.
func madeBetween(l *evidence.StepLedger, from, to evidence.Pos) int64 {
	upper, lower := l.Attempted, int64(0)
	for i := len(l.Points) - 1; i >= 0; i-- {
		p := &l.Points[i]
		if p.Sink == nil || p.Sink.Source != from.Source {
			continue
		}
		if p.Sink.Offset > from.Offset {
			upper = p.Attempted
		}
		if p.Sink.Offset <= to.Offset {
			lower = max(lower, p.Attempted)
		}
	}
	return lower - upper
}
