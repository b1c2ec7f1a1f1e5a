package verdict

import (
	"math"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// Most reports of a skipped step do not name the step. The step counters that
// are printed around them bound it, and so tell whether skips lie in a row: a
// stretch of the counter that holds as many skips as steps holds no applied one.

// reading is a step counter, or another number, at a place of a source.
type reading struct {
	offset int64
	value  float64
}

// link is what one step counter proves of a report: its skips lie behind step
// lo, up to step hi.
type link struct {
	lo, hi  float64 // hi is NaN where no reading follows
	n       float64 // skips in this stretch of the counter, up to this report
	row     float64 // skips in a row that end here; 0: not proven
	longest float64 // in a row, up to this report
}

// readings lists the step counters of a process by their names.
func (j *judge) readings(p proc) map[string][]reading {
	out := map[string][]reading{}
	for _, r := range j.seqs[p.source] {
		t, row := j.track(r), j.row(r)
		step := stepClock(t, row)
		if row.First.Segment != p.segment || !step.Has {
			continue
		}
		out[t.Clock] = append(out[t.Clock], reading{row.First.Offset, float64(step.First)})
		if row.N > 1 {
			out[t.Clock] = append(out[t.Clock], reading{row.Last.Offset, float64(step.Last)})
		}
	}
	for _, rs := range out {
		slices.SortStableFunc(rs, func(a, b reading) int { return int(a.offset - b.offset) })
	}
	return out
}

// chain links the reports of a method along one step counter.
func (m *method) chain(clock string, rs []reading, base float64) []link {
	out := make([]link, len(m.events))
	before := link{lo: math.NaN(), hi: math.NaN()} // the last of the stretch before
	for i := range m.events {
		e := &m.events[i]
		k := &out[i]
		k.lo, k.hi = e.bounds(clock, rs, base)
		k.n = e.n
		if i > 0 {
			k.longest = out[i-1].longest
			if p := out[i-1]; p.lo == k.lo && p.hi == k.hi {
				k.n += p.n
			} else {
				before = p
			}
		}
		if k.n >= k.hi-k.lo && (!countsUpdates(clock) || k.hi == k.lo) {
			k.row = k.n
			if before.hi == k.lo {
				k.row += before.row
			}
		}
		k.longest = max(k.longest, k.row)
	}
	return out
}

// bounds gives the stretch of a step counter in which the report's skips lie.
func (e *skip) bounds(clock string, rs []reading, base float64) (lo, hi float64) {
	own := e.step.Has && e.clock == clock
	if own && e.single {
		return float64(e.step.First) - 1, float64(e.step.Last)
	}
	next := countBefore(rs, e.end)
	lo, hi = base, math.NaN()
	if known := countBefore(rs, e.since); known > 0 {
		lo = rs[known-1].value
	}
	switch {
	case own:
		hi = float64(e.step.Last)
	case next < len(rs):
		hi = rs[next].value
	}
	if hi < lo { // the counter begins anew: it bounds nothing
		hi = math.NaN()
	}
	return lo, hi
}

// countBefore is the number of readings before a place.
func countBefore(rs []reading, offset int64) int {
	n, _ := slices.BinarySearchFunc(rs, offset, func(r reading, offset int64) int { return int(r.offset - offset) })
	return n
}

// gaps knows the places of a process's records. A row of merged records covers
// its whole stretch.
type gaps struct {
	firsts, lasts []reading
	blind         bool // the source was sampled: records are missing
}

func (j *judge) gaps(p proc) *gaps {
	g := &gaps{blind: j.source(p.source).Sampled}
	for _, r := range j.seqs[p.source] {
		row := j.row(r)
		if row.First.Segment == p.segment && !strings.HasPrefix(j.track(r).Format, evidence.SkipFormat) {
			g.firsts = append(g.firsts, reading{offset: row.First.Offset})
			g.lasts = append(g.lasts, reading{offset: row.Last.Offset})
		}
	}
	slices.SortFunc(g.lasts, func(a, b reading) int { return int(a.offset - b.offset) })
	return g
}

// empty reports whether no record stands between two places.
func (g *gaps) empty(a, b int64) bool {
	n := countBefore(g.firsts, a)
	return !g.blind && n == countBefore(g.lasts, a) && n == countBefore(g.firsts, b)
}

// crowds counts for each report the skips that are reported one after another
// up to it, without a record between them: no applied step is seen there.
func (m *method) crowds(g *gaps) []float64 {
	out := make([]float64, len(m.events))
	for i := range m.events {
		e := &m.events[i]
		if e.since != e.offset || e.n != 1 {
			continue // a total or an interval
		}
		out[i] = 1
		if i > 0 && g.empty(m.events[i-1].offset, e.offset) {
			out[i] += out[i-1]
		}
	}
	return out
}

// prove links the reports of all methods along all counters of their process.
func (s *skips) prove(clocks map[string][]reading, g *gaps, base float64) {
	s.gaps = g
	for _, m := range s.methods {
		m.links = map[string][]link{}
		for clock, rs := range clocks {
			m.links[clock] = m.chain(clock, rs, base)
		}
		m.crowd = m.crowds(g)
		m.thin()
	}
}

// sparseSteps: of reports that lie this many steps apart on average nobody can
// say that they come one after another. A healthy scaler skips one step in its
// growth interval, 1,000 or 2,000 steps.
const sparseSteps = 50

// thin takes back crowds that a step counter spreads over many steps.
func (m *method) thin() {
	for i := range m.crowd {
		for _, links := range m.links {
			if k := links[i]; k.hi-k.lo > sparseSteps*m.crowd[i] {
				m.crowd[i] = 1
			}
		}
	}
}

// longestRow is the most skips in a row among the reports of a tally.
func (s *tally) longestRow() float64 {
	most := 0.0
	for _, links := range s.by.links {
		most = max(most, links[len(s.last)-1].longest)
	}
	return most
}

// crowdBefore is the number of skips reported one after another right before a
// value, and the most of them anywhere before it.
func (j *judge) crowdBefore(s *tally, r ref) (last, most float64) {
	row, i := j.row(r), len(s.last)-1
	g := j.skips[proc{row.First.Source, row.First.Segment}].gaps
	if g.empty(s.last[i].offset, row.First.Offset) {
		last = s.by.crowd[i]
	}
	return last, slices.Max(s.by.crowd[:i+1])
}

// behindStep is a step behind which the last skip lies for certain.
func (s *tally) behindStep() float64 {
	i, most := len(s.last)-1, 0.0
	for _, links := range s.by.links {
		most = max(most, links[i].lo)
	}
	return most
}

// rowBefore is the number of skips in a row that end at a value: no applied
// step lies between the last of them and it. One counter goes by several names.
func (j *judge) rowBefore(s *tally, r ref) float64 {
	step := stepClock(j.track(r), j.row(r))
	if !step.Has {
		return 0
	}
	most := 0.0
	for _, links := range s.by.links {
		if k := links[len(s.last)-1]; float64(step.First) == k.hi {
			most = max(most, k.row)
		}
	}
	return most
}

// increases turns the reports of a running total into the skips that each adds,
// which lie somewhere between it and the report before.
func increases(events []skip) []skip {
	var out []skip
	total, since := 0.0, int64(-1)
	for _, e := range events {
		at := e.offset
		if e.n > total {
			e.n, total = e.n-total, e.n
			e.since, e.single = since, false
			out = append(out, e)
		}
		since = at + 1 // the report is itself a reading
	}
	return out
}

// floor finds a report before a place in which the scale could not be lowered.
func (s *skips) floor(offset int64) (skip, string) {
	for _, m := range s.methods {
		for i := range m.events {
			if m.events[i].offset >= offset {
				break
			}
			if how := atFloor(m.events[i]); how != "" {
				return m.events[i], how
			}
		}
	}
	return skip{}, ""
}

// single: the report is of one step, which is the one it names.
func single(t *evidence.Track, row *evidence.Row, n float64) bool {
	return t.Clock != "" && row.N == 1 && n == 1
}
