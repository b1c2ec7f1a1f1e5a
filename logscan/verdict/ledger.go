package verdict

import (
	"fmt"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// recordedSkips judges a value by the step ledgers that guards wrote: one per
// optimizer and process, counted from the overflow flag itself, joined where a
// process goes on from another one's checkpoint.
func (j *judge) recordedSkips(r ref) []Reason {
	if j.ev.Run == nil {
		return nil
	}
	row, s := j.row(r), j.source(j.track(r).Source)
	var why []Reason
	for _, p := range j.lines.parts {
		if sameRank(p.Rank, s.Rank) && j.lines.behind(p, row) {
			why = append(why, j.byLedger(&p.StepLedger, row)...)
		}
	}
	return why
}

// moment is a step ledger at the place of a value.
type moment struct {
	attempted, applied, skipped int64
	inARow                      int64 // longest run of skipped steps
	atEnd                       int64 // skipped steps in a row right before
	tail                        bool  // a skip lies in the last share of the run so far
	floor                       bool
}

func (j *judge) byLedger(l *evidence.StepLedger, row *evidence.Row) []Reason {
	m := j.momentAt(l, row)
	if m.skipped == 0 || m.attempted == 0 {
		return nil
	}
	w := j.judgeMoment(l, m)
	w.NoApplied = m.applied == 0
	return []Reason{w}
}

func (j *judge) judgeMoment(l *evidence.StepLedger, m moment) Reason {
	share := float64(m.skipped) / float64(m.attempted)
	v := vars{
		"skipped": fmt.Sprint(m.skipped), "attempted": fmt.Sprint(m.attempted), "applied": fmt.Sprint(m.applied),
		"share": fmt.Sprintf("%.1f %%, optimizer %s", 100*share, l.Optimizer),
	}
	at := Ref{}
	if len(l.Skips) > 0 {
		at = Ref{At: l.Skips[0].At, Text: l.Skips[0].Reason}
	}
	short := m.attempted < j.cfg.SkipShortRun
	switch {
	case m.floor:
		v["how"] = "the loss scale is at its floor while steps are skipped"
		return j.t.reason("skips-at-floor", v, at)
	case share >= j.cfg.SkipShare, short && (share >= j.cfg.SkipShortShare || m.tail), m.inARow >= j.cfg.SkipInARow:
		return j.t.reason("steps-skipped", v, at)
	case m.atEnd >= j.cfg.SkipLast:
		v["how"] = fmt.Sprintf("the last %d steps before it were skipped", m.atEnd)
		return j.t.reason("skips-last", v, at)
	}
	return j.t.reason("few-skips", v, at)
}

// momentAt finds the ledger's counts at a row: by the sink offset of its last
// point before the row, else by the step, else the totals.
func (j *judge) momentAt(l *evidence.StepLedger, row *evidence.Row) moment {
	m := moment{attempted: l.Attempted, applied: l.Applied, skipped: l.Skipped}
	if len(l.Points) > 0 && (precedes(row, l.Points[0].Sink) || ofOneRecord(row, l.Points[0].At) && l.Points[0].At.Offset > row.Said.At.Offset) {
		return moment{}
	}
	before := func(at evidence.Pos, sink *evidence.Pos, step *float64) bool {
		switch {
		case ofOneRecord(row, at):
			return at.Offset <= row.Said.At.Offset
		case sink != nil && sink.Source == row.First.Source:
			return sink.Offset <= row.First.Offset
		case step != nil && row.Step.Has:
			return *step <= float64(row.Step.Last)
		}
		return true
	}
	for i := range l.Points {
		p := &l.Points[i]
		if !before(p.At, p.Sink, p.Step) {
			break
		}
		m.attempted, m.applied, m.skipped = p.Attempted, p.Applied, p.Skipped
	}
	var inRow int64 // so far: a writer that may be killed records a stretch in pieces
	for i := range l.Skips {
		s := &l.Skips[i]
		if !before(s.At, s.Sink, s.Step) {
			break
		}
		if i > 0 && l.Skips[i-1].GoesOnIn(s) {
			inRow += s.InRow
		} else {
			inRow = s.InRow
		}
		m.inARow = max(m.inARow, inRow)
		m.floor = m.floor || s.Floor
		if s.Until != nil {
			if *s.Until >= m.attempted {
				m.atEnd = inRow
			}
			m.tail = m.tail || float64(*s.Until) > (1-j.cfg.SkipTailShare)*float64(m.attempted)
		}
	}
	return m
}

// precedes: what a row says was printed before the place in its output.
func precedes(row *evidence.Row, sink *evidence.Pos) bool {
	return sink != nil && sink.Source == row.First.Source && sink.Offset > row.First.Offset
}

// ofOneRecord: what a row says was reported by call, and stands in the record file
// in which the place lies, in the order in which it happened.
func ofOneRecord(row *evidence.Row, at evidence.Pos) bool {
	return row.Said != nil && row.Said.At.Source == at.Source
}
