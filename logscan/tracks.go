package logscan

import (
	"math"
	"slices"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/metric"
)

const (
	maxColumns = 256
	// deviation marks rows that must survive merging, so that a look-back can
	// find them; the judge decides with its own thresholds, which are not lower.
	lossDeviation = 1.5
	timeDeviation = 2.0
	// stuckDigits: a value repeated with this many digits must survive merging.
	stuckDigits = 8
)

// trackKey tells record shapes of one source apart: training and evaluation
// records of one format are tables of their own.
type trackKey struct {
	format, clock, phase string
	eval                 bool
	rank                 int // -1: none
	printer              string
}

// tracks builds the tables of one source.
type tracks struct {
	source  string
	maxRows int
	events  []int64 // offsets that no merged row may span
	list    []*track
	byKey   map[trackKey]*track
	key     trackKey // of the table that was asked for last: mostly it is the next one too
	last    *track
	spare   [][]evidence.Cell // of rows that were merged away
	room    []evidence.Row    // in which the first table grows, lent by the audit
}

// track is a table under construction.
type track struct {
	evidence.Track
	columns map[columnKey]int
	last    []evidence.Cell // last values by column, for deviation and repetition
	typical float64         // running typical step time
	full    int             // rows at which merging is worth a try again
}

// columnKey: one name may be measured on several splits.
type columnKey struct{ name, split string }

func newTracks(source string, maxRows int) *tracks {
	return &tracks{source: source, maxRows: maxRows, byKey: map[trackKey]*track{}}
}

func (ts *tracks) event(offset int64) {
	if n := len(ts.events); n == 0 || ts.events[n-1] != offset {
		ts.events = append(ts.events, offset)
	}
}

// add appends a record as a row and returns its track.
func (ts *tracks) add(r *metric.Record, segment int) *track {
	t := ts.table(r)
	pos := evidence.Pos{Source: ts.source, Offset: r.Offset, Line: r.Line, Time: r.Time, Segment: segment}
	row := evidence.Row{First: pos, Last: pos, N: 1, Step: counter(r.Step), Epoch: counter(r.Epoch)}
	row.Cells = ts.cells(len(t.Columns), len(r.Fields))
	for i := range r.Fields {
		t.put(&row, &r.Fields[i])
	}
	t.Planned, t.Epochs = max(t.Planned, r.Step.Total), max(t.Epochs, r.Epoch.Total)
	t.Rows = append(t.Rows, row)
	if len(t.Rows) > max(ts.rowLimit(t), t.full) {
		ts.shrink(t)
		t.full = len(t.Rows) * 5 / 4 // rows that cannot merge are not tried again at once
	}
	return t
}

// cells makes room for a row, in cells that are no longer used if there are any:
// rows come by the million, and few of them stay.
func (ts *tracks) cells(n, more int) []evidence.Cell {
	if last := len(ts.spare) - 1; last >= 0 && cap(ts.spare[last]) >= n {
		c := ts.spare[last][:n]
		ts.spare = ts.spare[:last]
		clear(c)
		return c
	}
	return make([]evidence.Cell, n, max(n, more))
}

// maxCells bounds a table of many columns; narrow ones end at maxRows.
const maxCells = 32 << 10

func (ts *tracks) rowLimit(t *track) int {
	return max(min(ts.maxRows, 64), min(ts.maxRows, maxCells/max(1, len(t.Columns))))
}

// cutFrom drops the rows from an offset on: they are read again, more closely.
func (ts *tracks) cutFrom(offset int64) {
	for _, t := range ts.list {
		n := len(t.Rows)
		for n > 0 && t.Rows[n-1].First.Offset >= offset {
			n--
		}
		clear(t.Rows[n:])
		t.Rows = t.Rows[:n]
	}
}

func (ts *tracks) table(r *metric.Record) *track {
	key := trackKey{format: r.Format, clock: r.Step.Name, phase: r.Phase, eval: holdsEval(r), rank: -1, printer: r.Printer}
	if r.EvalBar {
		key.clock = ""
	}
	if r.Rank != nil {
		key.rank = *r.Rank
	}
	if ts.last != nil && ts.key == key {
		return ts.last
	}
	t := ts.byKey[key]
	if t == nil {
		t = ts.newTable(r, key)
	}
	ts.key, ts.last = key, t
	return t
}

func (ts *tracks) newTable(r *metric.Record, key trackKey) *track {
	t := &track{columns: map[columnKey]int{}, last: make([]evidence.Cell, 0, len(r.Fields))}
	t.Columns = make([]evidence.Column, 0, len(r.Fields))
	t.Source, t.Format, t.Flush, t.Process, t.Clock = ts.source, r.Format, r.Flush, r.Process, key.clock
	t.Rank, t.Printer = r.Rank, r.Printer
	if len(ts.list) == 0 {
		t.Rows = ts.room[:0]
	}
	ts.byKey[key] = t
	ts.list = append(ts.list, t)
	return t
}

// fit gives the first table the room that its rows take, and hands on the one in
// which they grew: thousands of ranks have a dozen rows each, and growing anew
// took three times their memory.
func (ts *tracks) fit() (room []evidence.Row) {
	if len(ts.list) == 0 {
		return ts.room
	}
	first := ts.list[0]
	room = first.Rows
	first.Rows = slices.Clip(slices.Clone(room))
	clear(room)
	return room[:0]
}

func holdsEval(r *metric.Record) bool {
	for i := range r.Fields {
		if role := r.Fields[i].Role; role == evidence.Eval || role == evidence.Final {
			return true
		}
	}
	return false
}

func counter(c metric.Counter) evidence.Span {
	if !c.Has || math.IsNaN(c.Value) || math.IsInf(c.Value, 0) {
		return evidence.Span{} // a counter that counts nothing orders nothing
	}
	return evidence.Span{Has: true, First: evidence.Num(c.Value), Last: evidence.Num(c.Value)}
}

// put writes one field into the row and notes what makes the row notable.
func (t *track) put(row *evidence.Row, f *metric.Field) {
	key := columnKey{f.Name, f.Split}
	ci, ok := t.columns[key]
	if !ok {
		if len(t.Columns) >= maxColumns {
			return
		}
		ci = len(t.Columns)
		t.columns[key] = ci
		t.Columns = append(t.Columns, evidence.Column{
			Name: f.Name, Printed: f.Printed, Role: f.Role, Kind: f.Kind, Split: f.Split, Window: f.Window,
		})
		t.last = append(t.last, evidence.Cell{})
	}
	for len(row.Cells) <= ci {
		row.Cells = append(row.Cells, evidence.Cell{})
	}
	v := evidence.Num(f.Value)
	c := evidence.Cell{N: 1, First: v, Last: v, Min: v, Max: v, Text: f.Text, Samples: f.Samples, Good: f.Good}
	if f.Kind == evidence.KindSkips {
		c.Sum = v
	}
	if !v.Finite() {
		c.NonFinite = 1
		row.Note |= evidence.NoteNonFinite
	}
	row.Note |= t.notable(f, &c, &t.last[ci])
	row.Cells[ci] = c
	t.last[ci] = c
}

func (t *track) notable(f *metric.Field, now, before *evidence.Cell) evidence.RowNote {
	var n evidence.RowNote
	if f.Placeholder {
		n |= evidence.NotePlaceholder
	}
	if f.Absent {
		n |= evidence.NoteAbsent
	}
	if f.Samples != nil && *f.Samples == 0 {
		n |= evidence.NoteEdge
	}
	switch f.Kind {
	case evidence.KindSkips:
		if f.Value > 0 {
			n |= evidence.NoteSkip
		}
	case evidence.KindLoss:
		if f.Value == 0 {
			n |= evidence.NoteZero
		}
		if before.N > 0 && before.Last > 0 && f.Value >= lossDeviation*float64(before.Last) {
			n |= evidence.NoteDeviates
		}
	case evidence.KindStepTime:
		if t.typical > 0 && f.Value >= timeDeviation*t.typical {
			n |= evidence.NoteDeviates
		}
		t.typical = towards(t.typical, f.Value)
	case evidence.KindNorm:
		if before.N > 0 && before.Text == f.Text && f.Digits >= stuckDigits {
			n |= evidence.NoteRepeat
		}
	}
	return n
}

func towards(typical, v float64) float64 {
	if typical == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return max(typical, v)
	}
	return typical + (min(v, 3*typical)-typical)/16
}

// shrink halves a table: neighbouring rows merge where both are plain, or alike
// in what makes them notable, and no event lies between them. If that is not
// enough, rows merge whatever they hold, but never across an event.
func (ts *tracks) shrink(t *track) {
	before := len(t.Rows)
	ts.mergePairs(t, false)
	if len(t.Rows) > before*3/4 {
		ts.mergePairs(t, true)
	}
}

// mergePairs halves what may merge: rows that are alike in what makes them
// notable, or unlike ones too.
func (ts *tracks) mergePairs(t *track, unlike bool) {
	keep := len(t.Rows) - 16 // the newest stay as they are: their neighbours are still to come
	out := t.Rows[:0]
	for i := 0; i < len(t.Rows); i++ {
		a := t.Rows[i]
		if i+1 < keep && (unlike || a.Note == t.Rows[i+1].Note) && a.First.Segment == t.Rows[i+1].First.Segment &&
			!ts.eventBetween(a.Last.Offset, t.Rows[i+1].First.Offset) {
			a = join(a, t.Rows[i+1])
			ts.spare = append(ts.spare, t.Rows[i+1].Cells)
			i++
		}
		out = append(out, a)
	}
	clear(t.Rows[len(out):])
	t.Rows = out
}

func (ts *tracks) eventBetween(a, b int64) bool {
	i, _ := slices.BinarySearch(ts.events, a)
	return i < len(ts.events) && ts.events[i] <= b
}

func join(a, b evidence.Row) evidence.Row {
	a.Last, a.N, a.Note = b.Last, a.N+b.N, a.Note|b.Note
	a.Step, a.Epoch = joinSpan(a.Step, b.Step), joinSpan(a.Epoch, b.Epoch)
	for len(a.Cells) < len(b.Cells) {
		a.Cells = append(a.Cells, evidence.Cell{})
	}
	for i := range b.Cells {
		joinCell(&a.Cells[i], &b.Cells[i])
	}
	return a
}

func joinSpan(a, b evidence.Span) evidence.Span {
	switch {
	case !a.Has:
		return b
	case !b.Has:
		return a
	}
	return evidence.Span{Has: true, First: a.First, Last: b.Last}
}

func joinCell(a, b *evidence.Cell) {
	switch {
	case b.N == 0:
		return
	case a.N == 0:
		*a = *b
		return
	}
	a.N, a.NonFinite, a.Sum = a.N+b.N, a.NonFinite+b.NonFinite, a.Sum+b.Sum
	a.Last, a.Text = b.Last, b.Text
	a.Samples, a.Good = b.Samples, b.Good
	a.Min, a.Max = least(a.Min, b.Min), most(a.Max, b.Max)
}

// least and most pass over NaN: how many values were not finite is counted apart.
func least(a, b evidence.Num) evidence.Num {
	if math.IsNaN(float64(a)) || b < a {
		return b
	}
	return a
}

func most(a, b evidence.Num) evidence.Num {
	if math.IsNaN(float64(a)) || b > a {
		return b
	}
	return a
}
