package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/order"
)

// Judge computes the verdicts of one run. It is pure, and the order of its
// inputs does not matter.
func Judge(ev *evidence.Evidence, cfg *Config) (*Result, error) {
	t, err := reasonTable()
	if err != nil {
		return nil, err
	}
	j := &judge{ev: ev, cfg: cfg, t: t, x: order.NewIndex(ev, order.Doubt{
		Skew: cfg.Skew, Zone: cfg.ZoneKnown, Far: cfg.FarBytes,
	})}
	j.index()
	j.collectFaults()
	j.findWindows()
	j.collectSkips()
	j.collectScales()
	j.lines = newLineage(ev.Run)
	j.collectFindings()
	j.judgeRows()
	return j.result(), nil
}

// judge holds what is derived from the evidence while it is judged.
type judge struct {
	ev  *evidence.Evidence
	cfg *Config
	t   table
	x   *order.Index

	seqs map[string][]ref // rows of a source in the order of its bytes
	// lastTraining is the last training record of each process, by offset.
	lastTraining map[proc]int64
	groups       map[string]*group
	faults       []*fault
	// bySource lists the faults that reach each source.
	bySource map[string][]*fault
	reaching sharing          // faults
	going    map[string][]int // faults after which the process may go on, by group

	near      near
	homes     sharing // sources
	actors    sharing // markers with an effect: those of allActing
	allActing []*acting
	acting    map[string][]*acting // those that reach each source
	strangers map[[2]string]bool   // pairs of sources that are known to be of two runs, or not
	skips     map[proc]*skips
	scales    map[proc][]scaleTurn
	cells     [][][]judged // by track, row, column
	tables    []tableFacts
	lost      map[string]map[ref]lostModel // by source
	atStep    map[measured][]place         // evaluation values
	bad       *[]ref                       // checkpoints whose parameters are not finite; nil: not looked for
	notes     []Note
	lines     *lineage           // of the step ledgers
	findings  []evidence.Finding // of the guards, and those that lie between ranks
	short     []evidence.Finding // trainings that ended before their plan
}

// ref names a row.
type ref struct{ track, row int }

// proc is a process as far as the sources tell processes apart.
type proc struct {
	source  string
	segment int
}

// group is the sources of one job.
type group struct {
	name    string
	sources []*evidence.Source
	ranks   map[int]bool
}

// judged is the outcome for one cell.
type judged struct {
	present bool
	verdict Verdict
	why     []Reason
}

func (j *judge) index() {
	j.near = newNear(j.ev)
	j.indexActing()
	j.indexSources()
	j.seqs = make(map[string][]ref)
	j.bySource = make(map[string][]*fault)
	j.strangers = make(map[[2]string]bool)
	j.lost = make(map[string]map[ref]lostModel)
	for ti := range j.ev.Tracks {
		t := &j.ev.Tracks[ti]
		for ri := range t.Rows {
			j.seqs[t.Source] = append(j.seqs[t.Source], ref{ti, ri})
		}
	}
	j.indexMoments()
	j.lastTraining = make(map[proc]int64)
	for _, s := range j.seqs {
		for _, r := range s {
			row := j.row(r)
			if _, training := trainingLoss(j.track(r), row); training {
				p := proc{row.First.Source, row.First.Segment}
				j.lastTraining[p] = max(j.lastTraining[p], row.Last.Offset)
			}
		}
		slices.SortStableFunc(s, func(a, b ref) int {
			return int(j.row(a).First.Offset - j.row(b).First.Offset)
		})
	}
	j.groups = make(map[string]*group)
	for i := range j.ev.Sources {
		s := &j.ev.Sources[i]
		g := j.groups[s.Group]
		if g == nil {
			g = &group{name: s.Group, ranks: map[int]bool{}}
			j.groups[s.Group] = g
		}
		g.sources = append(g.sources, s)
		if s.Rank != nil {
			g.ranks[*s.Rank] = true
		}
	}
}

func (j *judge) row(r ref) *evidence.Row     { return &j.ev.Tracks[r.track].Rows[r.row] }
func (j *judge) track(r ref) *evidence.Track { return &j.ev.Tracks[r.track] }

func (j *judge) source(id string) *evidence.Source {
	if s := j.x.Source(id); s != nil {
		return s
	}
	return &evidence.Source{ID: id}
}

// value is a row as the order sees it. A fault asks for every row of its job.
func (j *judge) value(r ref, aggregates bool) order.Value {
	t, row, facts := j.track(r), j.row(r), &j.tables[r.track]
	once := facts.once[r.row]
	return order.Value{
		First: row.First, Last: row.Last, Flush: t.Flush,
		Aggregates: aggregates || j.closes(t, row),
		Step:       facts.clock(t, row), Epoch: row.Epoch,
		Names: facts.measures, OnceStep: once.step, OnceEpoch: once.epoch, Said: row.Said,
		Printer: t.Printer,
	}
}

// barCounter is the name of a progress bar's counter.
const barCounter = "batch"

// tableFacts is what a table measures and of which models, whether its counter
// begins anew, and what the counters of each row say.
type tableFacts struct {
	measures []string
	models   []string // by column: whose loss or norm it is
	anew     bool
	other    bool // its counter is none of optimizer steps
	once     []once
}

// clock is the row's step, unless its counter begins anew within a process, as a
// bar per epoch does: then a larger number is no later moment.
func (f *tableFacts) clock(t *evidence.Track, r *evidence.Row) evidence.Span {
	if f.anew {
		return evidence.Span{}
	}
	return stepClock(t, r)
}

func beginsAnew(t *evidence.Track) bool {
	if t.Clock != barCounter {
		return false
	}
	for i := 1; i < len(t.Rows); i++ {
		a, b := &t.Rows[i-1], &t.Rows[i]
		if a.First.Segment == b.First.Segment && a.Step.Has && b.Step.Has && b.Step.First < a.Step.Last {
			return true
		}
	}
	return false
}

// once says whether a row stands alone in its table at its step and epoch.
type once struct{ step, epoch bool }

// indexMoments notes what each table measures, and which of its rows are the
// only ones at their counters: their counter names a moment.
func (j *judge) indexMoments() {
	j.tables = make([]tableFacts, len(j.ev.Tracks))
	for ti := range j.ev.Tracks {
		t, facts := &j.ev.Tracks[ti], &j.tables[ti]
		facts.other = j.countsOther(t)
		facts.anew, facts.once, facts.models = beginsAnew(t), make([]once, len(t.Rows)), make([]string, len(t.Columns))
		for ci := range t.Columns {
			c := &t.Columns[ci]
			if c.Role != evidence.Diagnostic && c.Role != evidence.Speed {
				facts.measures = append(facts.measures, c.Name)
			}
			if c.Kind == evidence.KindLoss || c.Kind == evidence.KindNorm {
				facts.models[ci] = modelOf(c.Name)
			}
		}
		for ri := range t.Rows {
			o := once{alone(t.Rows[ri].Step, t.Rows[ri].N), alone(t.Rows[ri].Epoch, t.Rows[ri].N)}
			for _, next := range []int{ri - 1, ri + 1} {
				if next < 0 || next >= len(t.Rows) {
					continue
				}
				o.step = o.step && !touches(t.Rows[ri].Step, t.Rows[next].Step)
				o.epoch = o.epoch && !touches(t.Rows[ri].Epoch, t.Rows[next].Epoch)
			}
			facts.once[ri] = o
		}
	}
}

func alone(s evidence.Span, n int64) bool { return s.Has && (n <= 1 || s.First != s.Last) }

func touches(a, b evidence.Span) bool {
	return a.Has && b.Has && a.First <= b.Last && b.First <= a.Last
}

// closes reports whether a record closes its process: it has no counter, and no
// training record follows. A line without a counter may come every epoch.
func (j *judge) closes(t *evidence.Track, r *evidence.Row) bool {
	if !t.Process {
		return false
	}
	last, ok := j.lastTraining[proc{t.Source, r.First.Segment}]
	return !ok || last < r.First.Offset
}

// stepClock is the row's step, if its counter is a step clock at all: the
// counters of evaluation bars are none.
func stepClock(t *evidence.Track, r *evidence.Row) evidence.Span {
	if t.Clock == "" {
		return evidence.Span{}
	}
	return r.Step
}

// judgeRows gives every cell its verdict.
func (j *judge) judgeRows() {
	j.cells = make([][][]judged, len(j.ev.Tracks))
	for ti := range j.ev.Tracks {
		t := &j.ev.Tracks[ti]
		j.cells[ti] = make([][]judged, len(t.Rows))
		faults := j.reachingTable(t)
		for ri := range t.Rows {
			j.cells[ti][ri] = j.judgeRow(ref{ti, ri}, faults)
		}
	}
}

// judgeRow settles what the faults around a row say once: of thousands of ranks
// nearly every cell has no reason of its own, and these share one list.
func (j *judge) judgeRow(r ref, faults []reached) []judged {
	t, row := j.track(r), j.row(r)
	out := make([]judged, len(row.Cells))
	around := [2]judged{}
	for ci := range row.Cells {
		if row.Cells[ci].N == 0 || ci >= len(t.Columns) {
			continue
		}
		col := &t.Columns[ci]
		agg := 0
		if j.wholeProcess(t, row, col) {
			agg = 1
		}
		if !around[agg].present {
			around[agg] = settle(j.fromFaults(r, faults, agg == 1))
		}
		out[ci] = around[agg]
		own := append(append(j.fromOwn(r, ci), j.fromEffects(r, ci)...), j.fromRun(r, ci)...)
		if len(own) > 0 {
			out[ci] = settle(slices.Concat(around[agg].why, own))
		}
	}
	return out
}

func (j *judge) wholeProcess(t *evidence.Track, r *evidence.Row, c *evidence.Column) bool {
	return j.closes(t, r) || c.Window == evidence.WholeRun || c.Window == evidence.Best
}

// settle joins reasons to the worst and puts it first.
func settle(why []Reason) judged {
	slices.SortStableFunc(why, func(a, b Reason) int { return int(b.Verdict - a.Verdict) })
	out := judged{present: true, why: why}
	if len(why) > 0 {
		out.verdict = why[0].Verdict
	}
	return out
}

// lineRef points at a row.
func (j *judge) lineRef(r ref) Ref {
	row := j.row(r)
	switch {
	case row.Said != nil:
		return Ref{At: row.Said.At, Text: j.rowText(r) + calledAt(row.Said)}
	case strings.HasPrefix(j.track(r).Format, evidence.SkipFormat): // made of a marker: its line is what stands there
		return Ref{At: row.First, Text: j.markerText(row.First)}
	}
	return Ref{At: row.First, Text: j.rowText(r)}
}

// calledAt names the call of the trainer that reported a value.
func calledAt(said *evidence.Said) string {
	if said.Where == "" {
		return ""
	}
	return ", reported at " + said.Where
}

// markerText is the line of a marker, as far as it was kept.
func (j *judge) markerText(at evidence.Pos) string {
	for i := range j.ev.Markers {
		if m := &j.ev.Markers[i]; m.First == at {
			return m.Text
		}
	}
	return ""
}

func (j *judge) rowText(r ref) string {
	t, row := j.track(r), j.row(r)
	text := ""
	for ci := range row.Cells {
		if row.Cells[ci].N == 0 || ci >= len(t.Columns) {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += t.Columns[ci].Printed + " " + row.Cells[ci].Text
		if len(text) > 120 {
			break
		}
	}
	return text
}

func at(p evidence.Pos) string {
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d", p.Source, p.Line)
	}
	return p.Source
}

// shownStep is the step by which a reader finds the row: the counter of a bar
// begins anew in each epoch and says less than the epoch.
func shownStep(t *evidence.Track, r *evidence.Row) evidence.Span {
	if (t.Clock == "" || t.Clock == barCounter) && r.Epoch.Has {
		return evidence.Span{}
	}
	return r.Step
}

// where is a row in the words of its counters. A step may begin anew in each
// epoch, so that both are given where both are known.
func where(t *evidence.Track, r *evidence.Row) string {
	switch step := shownStep(t, r); {
	case step.Has && r.Epoch.Has:
		return "epoch " + number(float64(r.Epoch.First)) + ", step " + number(float64(step.First))
	case step.Has:
		return "step " + number(float64(step.First))
	case r.Epoch.Has:
		return "epoch " + number(float64(r.Epoch.First))
	}
	return at(r.First)
}

func number(f float64) string { return fmt.Sprintf("%g", f) }
