package verdict

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// skips is what the sources of one process say of skipped optimizer steps.
// Several writers may report the same skips (a line for each, a counter): each
// is a method of its own, and the largest count before a value is taken. Where
// a counter stands, lines are counted only behind its last report: every rank
// may print one for the same step.
type skips struct {
	methods map[string]*method
	gaps    *gaps
}

// method is one way in which skips were reported.
type method struct {
	cumulative bool
	events     []skip            // in the order of the source
	reports    []reading         // what a running total said, also where it did not grow
	attempted  []reading         // attempted steps that the reports themselves name
	links      map[string][]link // what each step counter proves of the events
	crowd      []float64         // skips reported one after another, up to each event
}

// skip is one report.
type skip struct {
	row      ref
	offset   int64
	since    int64   // the skips lie behind this place
	end      int64   // of the last report, where several were merged
	n        float64 // new skips
	step     evidence.Span
	clock    string  // the counter of step
	single   bool    // one skip, of the very step that is named
	from, to float64 // loss scale before and after; NaN: not said
}

// collectSkips reads the tables that count skips: columns of kind skips, and
// gradient norms that were not finite for a while.
func (j *judge) collectSkips() {
	j.skips = map[proc]*skips{}
	for ti := range j.ev.Tracks {
		t := &j.ev.Tracks[ti]
		for ri := range t.Rows {
			j.readSkips(ref{ti, ri})
		}
	}
	for p, s := range j.skips {
		for _, m := range s.methods {
			slices.SortStableFunc(m.events, func(a, b skip) int { return int(a.offset - b.offset) })
			if m.cumulative {
				for _, e := range m.events {
					m.reports = append(m.reports, reading{e.offset, e.n})
				}
				m.events = increases(m.events)
			}
		}
		if last, ok := j.lastRow(p); ok {
			s.prove(j.readings(p), j.gaps(p), j.base(j.row(last)))
		}
	}
}

func (j *judge) readSkips(r ref) {
	t, row := j.track(r), j.row(r)
	s := skip{row: r, offset: row.First.Offset, since: row.First.Offset, end: row.Last.Offset, step: row.Step, clock: t.Clock, from: math.NaN(), to: math.NaN()}
	key, cumulative, found, of := "", false, false, 0.0
	for ci := range row.Cells {
		if ci >= len(t.Columns) || row.Cells[ci].N == 0 {
			continue
		}
		c, cell := &t.Columns[ci], &row.Cells[ci]
		switch {
		case c.Kind == evidence.KindSkips:
			found, cumulative, key = true, c.Window == evidence.WholeRun, t.Format+"/"+c.Name
			s.n = skipCount(cell, cumulative)
		case c.Kind == evidence.KindScale && strings.HasSuffix(c.Name, "to"):
			s.to = float64(cell.Last)
		case c.Kind == evidence.KindScale:
			s.from = float64(cell.First)
		case c.Kind == evidence.KindCount && c.Name == "attempted":
			of = float64(cell.Last)
		case c.Kind == evidence.KindNorm && cell.NonFinite > 0 && !lossLost(t, row) && j.fate(r, ci) == normRecovers:
			found, key = true, t.Format+"/"+c.Name
			s.n = float64(cell.NonFinite)
		}
	}
	if !found || s.n <= 0 {
		return
	}
	m := j.method(proc{t.Source, row.First.Segment}, key)
	m.cumulative = cumulative
	s.single = single(t, row, s.n)
	m.events = append(m.events, s)
	if of > 0 {
		m.attempted = append(m.attempted, reading{row.First.Offset, of})
	}
}

func skipCount(c *evidence.Cell, cumulative bool) float64 {
	switch {
	case cumulative, c.N == 1:
		return float64(c.Last)
	case c.Sum != 0:
		return float64(c.Sum)
	}
	return float64(c.N) * float64(c.Last)
}

func (j *judge) method(p proc, key string) *method {
	s := j.skips[p]
	if s == nil {
		s = &skips{methods: map[string]*method{}}
		j.skips[p] = s
	}
	m := s.methods[key]
	if m == nil {
		m = &method{}
		s.methods[key] = m
	}
	return m
}

// tally is the skips behind one value.
type tally struct {
	skipped   float64
	attempted float64
	exact     bool // attempted is a counter, not a lower bound
	applied   int64
	by        *method // that counted most
	last      []skip  // its reports before the value
}

// tallyBefore counts the skips before a row in its process.
func (j *judge) tallyBefore(r ref) tally {
	row := j.row(r)
	var out tally
	s := j.skips[proc{row.First.Source, row.First.Segment}]
	if s == nil {
		return out
	}
	out = s.count(row.First.Offset)
	if out.skipped == 0 {
		return out
	}
	out.attempted, out.exact, out.applied = j.attemptedBefore(r, out.skipped)
	if out.exact {
		out.applied = max(out.applied, int64(out.attempted-out.skipped))
	}
	for _, of := range out.by.attempted {
		if of.offset < row.First.Offset {
			out.attempted, out.exact = of.value, true
			out.applied = int64(of.value - out.skipped)
		}
	}
	return out
}

// count finds the method that counted most before a place.
func (s *skips) count(offset int64) tally {
	var out tally
	said, at := s.counter(offset)
	for _, m := range s.methods {
		n, last := m.before(offset)
		if !m.cumulative && at >= 0 {
			counted, _ := m.before(at)
			n = min(n, said+n-counted)
		}
		if len(last) > 0 && n > 0 && out.less(n, len(last), m) {
			out.skipped, out.last, out.by = n, last, m
		}
	}
	return out
}

// less: another method counted more; a counter tells more than as many lines.
func (t *tally) less(n float64, reports int, m *method) bool {
	switch {
	case t.by == nil || n != t.skipped:
		return n > t.skipped
	case m.cumulative != t.by.cumulative:
		return m.cumulative
	}
	return reports > len(t.last)
}

// counter is the highest running total before a place, and where it was
// reported last; -1: nowhere.
func (s *skips) counter(offset int64) (said float64, at int64) {
	at = -1
	for _, m := range s.methods {
		for _, r := range m.reports {
			if r.offset < offset {
				said, at = max(said, r.value), max(at, r.offset)
			}
		}
	}
	return said, at
}

func (m *method) before(offset int64) (float64, []skip) {
	var n float64
	end := 0
	for end < len(m.events) && m.events[end].offset < offset {
		n += m.events[end].n
		end++
	}
	return n, m.events[:end]
}

// attemptedBefore is the number of attempted steps behind a row: the step
// counter where one is, else at least one for each training record and skip.
// Records count as applied steps seen.
func (j *judge) attemptedBefore(r ref, skipped float64) (attempted float64, exact bool, applied int64) {
	row := j.row(r)
	base, last, has, updates := j.base(row), 0.0, false, false
	for _, q := range j.seqs[row.First.Source] {
		qt, qrow := j.track(q), j.row(q)
		if qrow.First.Segment != row.First.Segment || qrow.First.Offset > row.First.Offset {
			continue
		}
		if c, training := trainingLossCell(qt, qrow); training && c.NonFinite == 0 {
			applied += qrow.N
		}
		if step := stepClock(qt, qrow); step.Has && float64(step.Last) >= last {
			last, has = float64(step.Last), true
			updates = countsUpdates(qt.Clock)
		}
	}
	if !has || last <= base {
		return float64(applied) + skipped, false, applied
	}
	attempted = last - base
	if updates {
		attempted += skipped
	}
	return max(attempted, skipped), true, applied
}

// countsUpdates: a counter of updates leaves skipped steps out.
func countsUpdates(clock string) bool { return strings.Contains(clock, "update") }

// base is the step from which the row's process went on.
func (j *judge) base(row *evidence.Row) float64 {
	base := 0.0
	for _, b := range j.near.boundaries[row.First.Source] {
		if b.At.Offset <= row.First.Offset && b.Resumed != nil {
			base = *b.Resumed
		}
	}
	return base
}

// fromSkips judges an evaluation, final or aggregate value by the skips behind it.
func (j *judge) fromSkips(r ref) []Reason {
	why := append(j.recordedSkips(r), j.lostScale(r)...)
	if s := j.tallyBefore(r); s.skipped > 0 {
		w := j.printedSkips(r, s)
		w.NoApplied = s.applied == 0 || (w.Code == "skips-at-floor" && !s.exact)
		why = append(why, w)
	}
	return why
}

// printedSkips judges by what the sources print.
func (j *judge) printedSkips(r ref, s tally) Reason {
	last := s.last[len(s.last)-1]
	row := j.row(r)
	v := vars{
		"skipped": number(s.skipped), "attempted": number(s.attempted), "applied": fmt.Sprint(s.applied),
		"share": fmt.Sprintf("%.1f %%", 100*s.skipped/s.attempted),
	}
	if !s.exact { // only the steps that were printed are counted
		v["attempted"], v["share"] = "at least "+v["attempted"], "at most "+v["share"]
	}
	refs := []Ref{j.lineRef(s.last[0].row), j.lineRef(last.row)}
	if at, how := j.skips[proc{row.First.Source, row.First.Segment}].floor(row.First.Offset); how != "" {
		refs = []Ref{j.lineRef(at.row)}
		if !s.exact {
			s.applied = 0
			v["applied"] = "0"
		}
		v["how"] = how
		return j.t.reason("skips-at-floor", v, refs...)
	}
	switch {
	case s.exact && j.countsExact(s):
		return j.t.reason("steps-skipped", v, refs...)
	case !s.exact && (s.skipped >= s.attempted/2 || s.skipped >= float64(j.cfg.SkipInARow)):
		v["how"] = fmt.Sprintf("%s skipped steps are printed before it; applied steps seen: %d", number(s.skipped), s.applied)
		return j.t.reason("skips-unknown", v, refs...)
	case s.longestRow() >= float64(j.cfg.SkipInARow):
		return j.t.reason("steps-skipped", v, refs...)
	case j.rowBefore(&s, r) >= float64(j.cfg.SkipLast):
		v["how"] = fmt.Sprintf("the last %s steps before it were skipped", number(j.rowBefore(&s, r)))
		return j.t.reason("skips-last", v, refs...)
	}
	switch last, most := j.crowdBefore(&s, r); {
	case most >= float64(j.cfg.SkipInARow):
		v["how"] = fmt.Sprintf("%s skipped steps are printed one after another, and no record between them", number(most))
		return j.t.reason("skips-unknown", v, refs...)
	case last >= float64(j.cfg.SkipLast):
		v["how"] = fmt.Sprintf("%s skipped steps are printed right before it, and no record between them", number(last))
		return j.t.reason("skips-last", v, refs...)
	}
	return j.t.reason("few-skips", v, refs...)
}

// lowestScale is the floor that every scaler has unless it is told another.
const lowestScale = 1

// atFloor: the scale cannot be lowered any more. Above the usual floor one
// report shows nothing: scalers with hysteresis keep the scale for a while.
func atFloor(s skip) string {
	switch {
	case math.IsNaN(s.to) && math.IsNaN(s.from):
		return ""
	case s.to == 0, math.IsInf(s.to, 0), math.IsInf(s.from, 0):
		return "the loss scale is " + number(s.to)
	case s.to > lowestScale:
		return ""
	case !math.IsNaN(s.to) && s.to >= s.from:
		return fmt.Sprintf("the loss scale stays at %s while steps are skipped", number(s.to))
	}
	return ""
}

// countsExact applies the shares of design.md to a known number of attempted steps.
func (j *judge) countsExact(s tally) bool {
	share := s.skipped / s.attempted
	short := s.attempted < float64(j.cfg.SkipShortRun)
	if share >= j.cfg.SkipShare || (short && share >= j.cfg.SkipShortShare) {
		return true
	}
	return short && s.behindStep() >= (1-j.cfg.SkipTailShare)*s.attempted
}
