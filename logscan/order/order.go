// Package order proves that one event came before another, or says why not.
//
// Evidence, from strong to weak: byte position within one append-only sink
// (design.md (a), with what is known of buffers), the sink offset that a run
// record carries (b), time stamps farther apart than their doubt (c), named
// step and epoch counters (d). Position alone proves "value before fault":
// buffers only delay a value. "Fault before value" needs more, since a value
// computed before the fault may have waited in a block buffer.
//
// The package does no I/O and never guesses: what is not proven is Unproven.
package order

import (
	"fmt"
	"strings"
	"time"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// Relation of a value to an event.
type Relation int

// A value stands before or after an event, or that cannot be proven.
const (
	Unproven Relation = iota
	Before
	After
)

func (r Relation) String() string { return [...]string{"unproven", "before", "after"}[r] }

// Proof is a relation and what proves it, or why nothing does.
type Proof struct {
	Relation Relation
	How      string

	apart [2]string // sources that share no order: few ask why, so Why writes it
}

// Why is How, or which two sources share no order.
func (p *Proof) Why() string {
	if p.How != "" {
		return p.How
	}
	return p.apart[0] + " and " + p.apart[1] + " share no order: no comparable time stamps, no common step counter"
}

// Event is a fault as the order sees it.
type Event struct {
	At    evidence.Pos
	Sink  *evidence.Pos // place in the captured output at the time of the event, if recorded
	Step  *float64      // step at which it happened, if the event itself says so
	steps Bracket
	epoch Bracket
}

// Bracket bounds a counter at an event: the event came after Lo and before Hi.
// A step or an epoch lasts: of the rows that stand at a bound itself only those
// are placed by it that measure what the bounding row measured (the same loss in
// the log of another rank), not the evaluation that ends that epoch.
type Bracket struct {
	Lo, Hi       float64
	HasLo, HasHi bool
	lo, hi       string // what the rows at the bounds measure
}

// Value is one row of a track as the order sees it.
type Value struct {
	First, Last evidence.Pos
	Flush       bool // the writer is known to flush by line
	Aggregates  bool // covers the whole process, whenever it was printed
	Step, Epoch evidence.Span

	Names     []string // what the row measures, diagnostics aside
	OnceStep  bool     // no other row of its table stands at its step
	OnceEpoch bool     // nor at its epoch
	Printer   string   // the process that its line names

	Said *evidence.Said // the value was reported by a call: its place is exact
}

// Doubt is how far time stamps may be wrong.
type Doubt struct {
	Skew time.Duration // between hosts
	Zone bool          // the user said which zone zoneless stamps are in
	Far  int64         // bytes of a stream that no buffer can hold back
}

// Index answers for one set of sources.
type Index struct {
	sources map[string]*evidence.Source
	starts  map[string][]evidence.Boundary // by source, new processes only
	doubt   Doubt
	far     string // why what stands more than Doubt.Far behind is later: said of most rows
}

// NewIndex prepares the sources of ev.
func NewIndex(ev *evidence.Evidence, d Doubt) *Index {
	x := &Index{
		sources: make(map[string]*evidence.Source, len(ev.Sources)),
		starts:  make(map[string][]evidence.Boundary),
		doubt:   d,
		far:     fmt.Sprintf("more than %d KiB stand between them", d.Far>>10),
	}
	for _, b := range ev.Boundaries {
		if b.NewProcess {
			x.starts[b.At.Source] = append(x.starts[b.At.Source], b)
		}
	}
	for i := range ev.Sources {
		x.sources[ev.Sources[i].ID] = &ev.Sources[i]
	}
	return x
}

// Source returns a source by id, or nil.
func (x *Index) Source(id string) *evidence.Source { return x.sources[id] }

// Place relates v to e.
func (x *Index) Place(e *Event, v *Value) Proof {
	if v.Said != nil {
		if p := byCall(e, v); p.Relation != Unproven {
			return p
		}
		return x.elsewhere(e, v)
	}
	if e.Sink != nil && e.Sink.Source == v.First.Source {
		return bySinkOffset(*e.Sink, v)
	}
	if e.At.Source == v.First.Source {
		return x.bySameSink(e, v)
	}
	return x.elsewhere(e, v)
}

// elsewhere relates what stands in two sources.
func (x *Index) elsewhere(e *Event, v *Value) Proof {
	if p := x.byTime(e.At, v); p.Relation != Unproven {
		return p
	}
	if p := byCounter(e, v); p.Relation != Unproven {
		return p
	}
	return Proof{apart: [2]string{e.At.Source, v.First.Source}}
}

// bySinkOffset: all bytes below the recorded offset were written before the
// event, all others not before it.
func bySinkOffset(sink evidence.Pos, v *Value) Proof {
	switch {
	case v.Last.Offset < sink.Offset:
		return Proof{Relation: Before, How: "written before the offset that the record carries"}
	case v.First.Offset >= sink.Offset:
		return Proof{Relation: After, How: "written after the offset that the record carries"}
	}
	return Proof{Relation: Unproven, How: "the values lie on both sides of the recorded offset"}
}

func (x *Index) bySameSink(e *Event, v *Value) Proof {
	if v.Last.Offset < e.At.Offset {
		return Proof{Relation: Before, How: "stands before it in the same stream"}
	}
	if v.First.Offset <= e.At.Offset {
		return Proof{Relation: Unproven, How: "the values lie on both sides of the event"}
	}
	return x.afterInSameSink(e, v)
}

// afterInSameSink: a value that stands behind the event may still have been
// computed before it and waited in a buffer, unless one of these rules it out.
func (x *Index) afterInSameSink(e *Event, v *Value) Proof {
	src := x.sources[v.First.Source]
	switch {
	case v.Aggregates:
		return Proof{Relation: After, How: "the value covers the whole process, whenever it was printed"}
	case src != nil && src.Capture != nil && src.Capture.LineFlush:
		return Proof{Relation: After, How: "stands behind it in a capture whose writers flush by line"}
	case v.Flush:
		return Proof{Relation: After, How: "stands behind it, and this format's writer flushes by line"}
	case src != nil && src.FlushShown:
		return Proof{Relation: After, How: "stands behind it, and the writer is seen to flush by line"}
	case e.At.Time != 0 && v.First.Time > e.At.Time+resolution(src):
		return Proof{Relation: After, How: "its own time stamp is later"}
	case v.First.Offset-e.At.Offset > x.doubt.Far:
		return Proof{Relation: After, How: x.far}
	case x.newProcessBetween(e.At, v):
		return Proof{Relation: After, How: "printed by a later process"}
	}
	if p := byCounter(e, v); p.Relation != Unproven {
		return p
	}
	return Proof{Relation: Unproven, How: "it stands behind the fault, but nothing shows that its writer flushes by line: it may have been computed before"}
}

func (x *Index) newProcessBetween(a evidence.Pos, v *Value) bool {
	for _, s := range x.starts[a.Source] {
		if s.At.Offset > a.Offset && s.At.Offset <= v.First.Offset && (s.Printer == "" || s.Printer == v.Printer) {
			return true
		}
	}
	return false
}

// Later reports whether the stamps of two sources prove that b came after a.
func (x *Index) Later(a, b evidence.Pos) bool {
	p := x.byTime(a, &Value{First: b, Last: b})
	return p.Relation == After
}

func (x *Index) byTime(at evidence.Pos, v *Value) Proof {
	if at.Time == 0 || v.First.Time == 0 || v.Last.Time == 0 {
		return Proof{}
	}
	a, b := x.sources[at.Source], x.sources[v.First.Source]
	if a == nil || b == nil {
		return Proof{}
	}
	if a.Clock.Kind != "wall" || b.Clock.Kind != "wall" || a.Clock.Backward || b.Clock.Backward {
		return Proof{}
	}
	if !x.doubt.Zone && !(a.Clock.Zone && b.Clock.Zone) && !streamsOfOne(a, b) {
		return Proof{}
	}
	doubt := resolution(a) + resolution(b)
	if a.Host == "" || a.Host != b.Host {
		doubt += int64(x.doubt.Skew)
	}
	switch {
	case v.Last.Time < at.Time-doubt:
		return Proof{Relation: Before, How: "its time stamp is earlier"}
	case v.First.Time > at.Time+doubt:
		return Proof{Relation: After, How: "its time stamp is later"}
	}
	return Proof{}
}

// streamsOfOne: standard output and error of one process are stamped by one
// clock in one zone.
func streamsOfOne(a, b *evidence.Source) bool {
	return a.Group == b.Group && a.Host == b.Host && a.Stream != "" && b.Stream != "" && a.Stream != b.Stream &&
		a.Clock.Zone == b.Clock.Zone && (a.Rank == nil) == (b.Rank == nil) && (a.Rank == nil || *a.Rank == *b.Rank)
}

func resolution(s *evidence.Source) int64 {
	if s == nil || s.Clock.Resolution == 0 {
		return int64(time.Second)
	}
	return s.Clock.Resolution
}

// byCounter uses the step clock first; epochs are coarser.
func byCounter(e *Event, v *Value) Proof {
	steps := e.steps
	if e.Step != nil {
		steps = Bracket{Lo: *e.Step, Hi: *e.Step, HasLo: true, HasHi: true}
	}
	if r := steps.place(v.Step, marks(v, v.OnceStep)); r != Unproven {
		return Proof{Relation: r, How: "by the step counter"}
	}
	if r := e.epoch.place(v.Epoch, marks(v, v.OnceEpoch)); r != Unproven {
		return Proof{Relation: r, How: "by the epoch counter"}
	}
	return Proof{}
}

// marks is what a row says of other rows at its counter: nothing, if its own
// table holds more of them there.
func marks(v *Value, once bool) []string {
	if !once {
		return nil
	}
	return v.Names
}

func (b Bracket) place(s evidence.Span, names []string) Relation {
	switch {
	case !s.Has:
		return Unproven
	case b.HasLo && (float64(s.Last) < b.Lo || float64(s.Last) == b.Lo && shares(b.lo, names)):
		return Before
	case b.HasHi && (float64(s.First) > b.Hi || float64(s.First) == b.Hi && shares(b.hi, names)):
		return After
	}
	return Unproven
}

func shares(known string, names []string) bool {
	for _, n := range names {
		if strings.Contains(known, "\x00"+n+"\x00") {
			return true
		}
	}
	return false
}

func joined(known string, names []string) string {
	for _, n := range names {
		if !strings.Contains(known, "\x00"+n+"\x00") {
			known += "\x00" + n + "\x00"
		}
	}
	return known
}

// Narrow tightens the event's counters with a row whose relation is proven
// otherwise: what came before it bounds it from below.
func (e *Event) Narrow(v *Value, r Relation) {
	e.steps.narrow(v.Step, marks(v, v.OnceStep), r)
	e.epoch.narrow(v.Epoch, marks(v, v.OnceEpoch), r)
}

// Steps is what is known of the step counter at the event.
func (e *Event) Steps() Bracket { return e.steps }

// Epochs is what is known of the epoch counter at the event.
func (e *Event) Epochs() Bracket { return e.epoch }

func (b *Bracket) narrow(s evidence.Span, names []string, r Relation) {
	if !s.Has {
		return
	}
	switch first, last := float64(s.First), float64(s.Last); {
	case r == Before && (!b.HasLo || last > b.Lo):
		b.Lo, b.HasLo, b.lo = last, true, joined("", names)
	case r == Before && last == b.Lo:
		b.lo = joined(b.lo, names)
	case r == After && (!b.HasHi || first < b.Hi):
		b.Hi, b.HasHi, b.hi = first, true, joined("", names)
	case r == After && first == b.Hi:
		b.hi = joined(b.hi, names)
	}
}
