package verdict

import (
	"math"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/order"
)

// stream is what one writer prints in one process: records of one format in
// one source. It is printed in the order in which it was computed, so a value
// behind one that is proven to come after a fault comes after it too, and one
// in front of a value that comes before it comes before it too.
type stream struct {
	source, format string
	segment        int
}

// edge bounds a fault within a stream by byte offsets.
type edge struct {
	before, after int64 // the last row proven before, the first proven after
}

// edges are a fault's bounds in the streams that it reaches.
type edges map[stream]edge

// widenOne takes over what is proven beyond, and says whether anything was.
func (e edges) widenOne(key stream, more edge) bool {
	old, ok := e[key]
	if !ok {
		old = edge{before: -1, after: math.MaxInt64}
	}
	now := edge{before: max(old.before, more.before), after: min(old.after, more.after)}
	if now != old {
		e[key] = now
	}
	return now != old
}

// widen adds the bounds that the order proves directly in the sources of the
// fault's own process, and says whether any is new. Those of other ranks prove
// nothing about it: they are found when a row of theirs asks.
func (j *judge) widen(f *fault) (grown bool) {
	for _, s := range j.sourcesIn(f) {
		grown = j.widenIn(f, s.ID) || grown
	}
	return grown
}

func (j *judge) widenIn(f *fault, source string) (grown bool) {
	for _, ti := range j.near.tracks[source] {
		t := &j.ev.Tracks[ti]
		for from := 0; from < len(t.Rows); {
			segment := t.Rows[from].First.Segment
			e := edge{before: -1, after: math.MaxInt64}
			for ; from < len(t.Rows) && t.Rows[from].First.Segment == segment; from++ {
				row := &t.Rows[from]
				v := j.value(ref{ti, from}, false)
				switch j.x.Place(&f.event, &v).Relation {
				case order.Before:
					e.before = max(e.before, row.Last.Offset)
				case order.After:
					e.after = min(e.after, row.First.Offset)
				}
			}
			if e.before >= 0 || e.after < math.MaxInt64 {
				grown = f.edges.widenOne(stream{t.Source, t.Format, segment}, e) || grown
			}
		}
	}
	return grown
}

// place relates a row, of this value, to a fault: by itself or by its neighbours
// in the stream.
func (j *judge) place(f *fault, t *evidence.Track, row *evidence.Row, v *order.Value) order.Proof {
	p := j.x.Place(&f.event, v)
	if p.Relation != order.Unproven {
		return p
	}
	if j.reaches(f, j.source(t.Source)) == otherRank && !f.asked[t.Source] {
		f.asked[t.Source] = true
		j.widenIn(f, t.Source)
	}
	e, ok := f.edges[stream{t.Source, t.Format, row.First.Segment}]
	switch {
	case !ok:
		return p
	case row.First.Offset >= e.after:
		return order.Proof{Relation: order.After, How: "it follows a value of the same stream that comes after the fault"}
	case row.Last.Offset <= e.before:
		return order.Proof{Relation: order.Before, How: "a value of the same stream that comes before the fault follows it"}
	}
	return p
}
