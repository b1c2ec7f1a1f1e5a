package logscan

import (
	"math"
	"path/filepath"
	"strconv"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/metric"
	"github.com/trainvet/trainvet/logscan/rundir"
)

// recordKind is the kind of a source that is a run record.
const recordKind = "run-record"

// recordsAtOnce: so many values of a name a library's caller records at once;
// of a longer series some are written only when the next one is.
const recordsAtOnce = 16

// ownCaller is the trainer's own code: each of its calls is recorded at once.
const ownCaller = "trainer"

// caller turns what a run's processes reported by call into tables, as if each
// value had been printed where the capture stood when it was reported.
type caller struct {
	know    *metric.Callers
	ev      *evidence.Evidence
	printed []printedColumn
	ids     map[string]string           // of sources, by their clean path
	starts  map[string][]int64          // processes in a source, by offset
	added   map[string]*evidence.Source // records that are sources of their own
	group   string
	capture *evidence.Capture
}

// printedColumn is a column of what was printed or kept in a file.
type printedColumn struct {
	*evidence.Column
	core   string
	values []*evidence.Cell
}

// addCalled adds the tables of what was reported in one run directory.
func addCalled(ev *evidence.Evidence, know *metric.Callers, d *rundir.Dir, run *evidence.Run) {
	if len(run.Metrics) == 0 {
		return
	}
	c := &caller{know: know, ev: ev, ids: map[string]string{}, starts: map[string][]int64{}, added: map[string]*evidence.Source{}, group: d.Path}
	if !run.Loose {
		proven := d.Capture()
		c.capture = &proven
	}
	c.index(filepath.Join(d.Path, rundir.LogFile))
	var more evidence.Evidence
	for i := range run.Metrics {
		if t, ok := c.table(&run.Metrics[i]); ok {
			more.Tracks = append(more.Tracks, t)
		}
	}
	for _, s := range c.added {
		more.Sources = append(more.Sources, *s)
	}
	*ev = evidence.Merge(*ev, more)
}

func (c *caller) index(log string) {
	for i := range c.ev.Sources {
		s := &c.ev.Sources[i]
		c.ids[filepath.Clean(s.ID)] = s.ID
		if i == 0 || filepath.Clean(s.ID) == filepath.Clean(log) {
			c.group = s.Group
		}
	}
	for _, b := range c.ev.Boundaries {
		c.starts[b.At.Source] = append(c.starts[b.At.Source], b.At.Offset)
	}
	for i := range c.ev.Tracks {
		t := &c.ev.Tracks[i]
		if evidence.Called(t) {
			continue
		}
		for ci := range t.Columns {
			col := printedColumn{Column: &t.Columns[ci], core: c.know.Core(t.Columns[ci].Printed)}
			for ri := range t.Rows {
				if ci < len(t.Rows[ri].Cells) && t.Rows[ri].Cells[ci].N > 0 {
					col.values = append(col.values, &t.Rows[ri].Cells[ci])
				}
			}
			c.printed = append(c.printed, col)
		}
	}
}

// table is the values of one name. Training values that are printed too are
// left to the log, which holds more of them.
func (c *caller) table(m *evidence.Reported) (evidence.Track, bool) {
	called := c.know.Classify(m.Name, m.Split, m.Source)
	col := called.Column
	switch col.Role {
	case evidence.Eval, evidence.Final:
		if twin := c.twin(m, &called); twin != nil {
			col.Name, col.Split, col.Window = twin.Name, twin.Split, twin.Window
		}
	case evidence.Series:
		if twin := c.twin(m, &called); twin != nil && (m.NonFinite == 0 || nonFinite(twin) > 0) {
			return evidence.Track{}, false
		}
	default:
		return evidence.Track{}, false
	}
	t := evidence.Track{Format: evidence.CallFormat + m.Source, Rank: m.Rank, Columns: []evidence.Column{col}}
	if called.Clock {
		t.Clock = "step"
	}
	for i := range m.Points {
		late := m.Source != ownCaller && i >= recordsAtOnce
		t.Rows = append(t.Rows, c.row(m.Points, i, late, &col))
	}
	if len(t.Rows) == 0 {
		return t, false
	}
	t.Source = t.Rows[0].First.Source
	return t, true
}

// twin is the column under which a log holds the same metric: by its name, else
// by its core, if at least one value is the same wherever only one of both names
// the data.
func (c *caller) twin(m *evidence.Reported, called *metric.Called) *printedColumn {
	var found *printedColumn
	for i := range c.printed {
		p := &c.printed[i]
		if p.core != called.Core || evaluation(p.Role) != evaluation(called.Column.Role) || p.Role != evidence.Series && !evaluation(p.Role) {
			continue
		}
		if (p.Window == evidence.Best) != (called.Column.Window == evidence.Best) {
			continue
		}
		if p.Split != called.Column.Split && (p.Split != "" && called.Column.Split != "" || !shareValue(m, p)) {
			continue
		}
		if p.Name == called.Column.Name {
			return p
		}
		if found == nil {
			found = p
		}
	}
	return found
}

func evaluation(r evidence.Role) bool { return r == evidence.Eval || r == evidence.Final }

func shareValue(m *evidence.Reported, p *printedColumn) bool {
	for _, v := range p.values {
		for i := range m.Points {
			if said := cellOf(&m.Points[i]); evidence.Agree(&said, v) {
				return true
			}
		}
	}
	return false
}

func nonFinite(p *printedColumn) int64 {
	var n int64
	for _, v := range p.values {
		n += v.NonFinite
	}
	return n
}

func cellOf(p *evidence.ReportedPoint) evidence.Cell {
	v := p.Value
	c := evidence.Cell{N: 1, First: v, Last: v, Min: v, Max: v, Text: strconv.FormatFloat(float64(v), 'g', -1, 64), Samples: p.Samples, Good: p.Good}
	if !v.Finite() {
		c.NonFinite = 1
	}
	return c
}

func (c *caller) row(points []evidence.ReportedPoint, i int, late bool, col *evidence.Column) evidence.Row {
	p := &points[i]
	cell := cellOf(p)
	at := c.place(p)
	row := evidence.Row{First: at, Last: at, N: 1, Step: span(p.Step), Epoch: span(p.Epoch), Cells: []evidence.Cell{cell}, Said: &evidence.Said{At: p.At, Where: p.Where}}
	if late {
		since := points[i-1].At
		row.Said.Since = &since
		if before := c.place(&points[i-1]); before.Source == at.Source && before.Segment == at.Segment {
			row.First = before
		}
	}
	if cell.NonFinite > 0 {
		row.Note |= evidence.NoteNonFinite
	}
	if cell.Samples != nil && *cell.Samples == 0 {
		row.Note |= evidence.NoteEdge
	}
	if col.Kind == evidence.KindLoss && cell.Last == 0 {
		row.Note |= evidence.NoteZero
	}
	return row
}

func span(n *float64) evidence.Span {
	if n == nil || math.IsNaN(*n) {
		return evidence.Span{}
	}
	return evidence.Span{Has: true, First: evidence.Num(*n), Last: evidence.Num(*n)}
}

// place is where the capture stood, else the record itself, which is then a
// source of its own: only its time stamps and counters order it against others.
func (c *caller) place(p *evidence.ReportedPoint) evidence.Pos {
	if p.Sink != nil {
		if id, ok := c.ids[filepath.Clean(p.Sink.Source)]; ok {
			at := evidence.Pos{Source: id, Offset: p.Sink.Offset, Time: p.At.Time}
			for _, start := range c.starts[id] {
				if start < at.Offset {
					at.Segment++
				}
			}
			return at
		}
	}
	if c.added[p.At.Source] == nil {
		c.added[p.At.Source] = &evidence.Source{
			ID: p.At.Source, Kind: recordKind, Group: c.group, Capture: c.capture, Clock: evidence.Clock{Kind: "wall", Zone: true, Resolution: 1e6},
		}
	}
	return p.At
}
