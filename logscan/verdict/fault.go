package verdict

import (
	"fmt"
	"slices"
	"sort"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/order"
)

// fault is one event: a fault marker, or the first of a block of them.
type fault struct {
	marker *evidence.Marker
	event  order.Event
	source *evidence.Source
	rank   *int
	look   *window // look-back window before it, if records deviate there
	edges  edges
	clears map[string][]clearing // by process: after each boundary of its source
	asked  map[string]bool       // sources of other ranks whose edges are known
	said   map[saying][]Reason   // reasons that say the same of every row, each a list of one
}

// saying is a reason by its code and by what tells it from others of that code.
type saying struct{ code, how string }

// say writes a reason that says the same of every row once. Nearly all rows of
// thousands of ranks have one such reason, and so share its list.
func (f *fault) say(key saying, build func() Reason) []Reason {
	list, known := f.said[key]
	if !known {
		if f.said == nil {
			f.said = map[saying][]Reason{}
		}
		list = []Reason{build()}
		f.said[key] = list
	}
	return list
}

// collectFaults takes the fault markers that are events, one per block, source
// and process, and brackets each by the counters of the rows around it.
func (j *judge) collectFaults() {
	seen := map[string]*fault{}
	for i := range j.ev.Markers {
		m := &j.ev.Markers[i]
		if m.Class != evidence.Fault || m.Quoted != "" {
			continue
		}
		if why := setAside(m); why != "" {
			j.notes = append(j.notes, j.t.note("set-aside", vars{"marker": name(m), "how": why}, markerRef(m)))
			continue
		}
		key := fmt.Sprintf("%s\x00%d\x00%s\x00%s\x00%s\x00%s", m.First.Source, m.First.Segment, block(m), m.Scope, m.Attrs["rank"], m.Printer)
		if f := seen[key]; f != nil {
			if m.First.Offset < f.marker.First.Offset {
				f.marker, f.event.At = m, m.First
			}
			continue
		}
		f := &fault{marker: m, source: j.source(m.First.Source), event: order.Event{At: m.First, Step: m.Step}, edges: edges{}, asked: map[string]bool{}}
		f.rank = rankOf(m, f.source)
		seen[key] = f
		j.faults = append(j.faults, f)
	}
	j.indexFaults()
	j.settleOrder()
}

func block(m *evidence.Marker) string {
	if m.Block != "" {
		return m.Block
	}
	return m.ID
}

// name is a marker in words; its place stands in the reason's evidence.
func name(m *evidence.Marker) string {
	if m.Title == "" {
		return m.ID
	}
	return fmt.Sprintf("%s (%s)", m.Title, m.ID)
}

func markerRef(m *evidence.Marker) Ref { return Ref{At: m.First, Text: m.Text} }

func rankOf(m *evidence.Marker, s *evidence.Source) *int {
	var n int
	if r, ok := m.Attrs["rank"]; ok {
		if _, err := fmt.Sscanf(r, "%d", &n); err == nil {
			return &n
		}
	}
	return s.Rank
}

// setAside says why a fault marker concerns another process: a kernel line may
// name a process that cannot be a trainer's. A pid alone never clears: it is
// the host's, and the log's may be another namespace's.
func setAside(m *evidence.Marker) string {
	if m.Scope != evidence.Process {
		return ""
	}
	if n := m.Attrs["name"]; n != "" && notTrainer(n) {
		return fmt.Sprintf("it names process %q, which cannot be a trainer's", n)
	}
	return ""
}

// settleOrder draws all conclusions from what is proven directly of a fault and
// the values around it, until there are no more. Other faults take no part: a
// fault that is added must never prove anything good of a value.
func (j *judge) settleOrder() {
	for _, f := range j.faults {
		for j.bracket(f) {
		}
	}
}

// bracket bounds the fault's step and epoch by rows whose order is proven, and
// so places it in other sources of the same process or synchronous job.
func (j *judge) bracket(f *fault) bool {
	steps, epochs := f.event.Steps(), f.event.Epochs()
	for _, ti := range j.counted(f) {
		t := &j.ev.Tracks[ti]
		for ri := range t.Rows {
			row := &t.Rows[ri]
			if row.First.Source == f.event.At.Source && j.apart(f.marker, t, row) {
				continue
			}
			v := j.value(ref{ti, ri}, false)
			f.event.Narrow(&v, j.place(f, t, row, &v).Relation)
		}
	}
	grown := j.widen(f)
	return grown || f.event.Steps() != steps || f.event.Epochs() != epochs
}

// counted lists the tracks with a counter of the processes that a fault reaches.
func (j *judge) counted(f *fault) []int {
	var out []int
	for _, s := range j.sourcesIn(f) {
		for _, ti := range j.near.tracks[s.ID] {
			t := &j.ev.Tracks[ti]
			if len(t.Rows) > 0 && (t.Clock != "" || t.Rows[0].Epoch.Has) {
				out = append(out, ti)
			}
		}
	}
	return out
}

// reach says how a fault concerns the rows of a source.
type reach int

const (
	outside reach = iota
	in
	otherRank    // another process of the same job, which exchanges gradients with this one
	otherProcess // another process, of which it is not known whether it belongs to this job
)

func (j *judge) reaches(f *fault, s *evidence.Source) reach {
	if s.ID == f.source.ID {
		return in
	}
	if s.Group != f.source.Group || j.unrelated(f.source, s) {
		return outside
	}
	sameHost := s.Host == "" || f.source.Host == "" || s.Host == f.source.Host
	switch f.marker.Scope {
	case evidence.Job:
		return in
	case evidence.Node, evidence.Device:
		if sameHost && (f.marker.Scope == evidence.Node || sameRank(f.rank, s.Rank)) {
			return in
		}
	case evidence.Process:
		if sameHost && sameRank(f.rank, s.Rank) {
			return in
		}
	}
	if f.marker.Goes != evidence.Stops {
		return otherRank
	}
	return outside
}

// reachesRank says how a fault concerns a table: in a log of several ranks, a
// fault of one process or device is not another's.
func (j *judge) reachesRank(f *fault, t *evidence.Track) reach {
	how := j.reaches(f, j.source(t.Source))
	if how == in && f.marker.Scope != evidence.Job && evidence.HostsApart(f.marker.Printer, t.Printer) {
		return j.onOtherHost(f)
	}
	if how == in && f.marker.Scope == evidence.Process {
		how = j.reachesProcess(f, t)
	}
	if how != in || t.Rank == nil || (f.marker.Scope != evidence.Process && f.marker.Scope != evidence.Device) || sameRank(f.rank, t.Rank) {
		return how
	}
	if f.marker.Goes != evidence.Stops {
		return otherRank
	}
	return outside
}

// sameRank: an unknown rank may be any.
func sameRank(a, b *int) bool { return a == nil || b == nil || *a == *b }

// reached is a fault, and how it concerns a table.
type reached struct {
	*fault
	how reach
}

// reachingTable lists the faults that concern a table.
func (j *judge) reachingTable(t *evidence.Track) []reached {
	var out []reached
	for _, f := range j.faultsOf(j.source(t.Source)) {
		if how := j.reachesRank(f, t); how != outside {
			out = append(out, reached{f, how})
		}
	}
	return out
}

// fromFaults gives the reasons that a row gets from the faults that concern its table.
func (j *judge) fromFaults(r ref, faults []reached, aggregates bool) []Reason {
	t, row := j.track(r), j.row(r)
	var why []Reason
	for i := range faults {
		f, how := faults[i].fault, faults[i].how
		if how == otherRank && f.source.ID != t.Source && holds(why, "other-rank") {
			continue // it can give no other reason
		}
		v := j.value(r, aggregates)
		p := j.place(f, t, row, &v)
		// The first fault is the one to name, and only its reason is written.
		if code := j.codeOf(&faults[i], t, row, aggregates, p.Relation); code != "" && !holds(why, code) {
			why = joined(why, j.write(f, code, &p))
		}
	}
	return why
}

// joined leaves both lists as they are, which others may share.
func joined(a, b []Reason) []Reason {
	if len(a) == 0 {
		return b
	}
	return slices.Clip(slices.Concat(a, b))
}

func holds(why []Reason, code string) bool {
	return slices.ContainsFunc(why, func(r Reason) bool { return r.Code == code })
}

// firstOfEach keeps one reason per code: the first fault is the one to name.
func firstOfEach(why []Reason) []Reason {
	seen := map[string]bool{}
	return slices.DeleteFunc(why, func(r Reason) bool {
		dup := seen[r.Code]
		seen[r.Code] = true
		return dup
	})
}

// codeOf is the code of the reason that a fault gives a row which stands to it as
// was proven; empty: none.
func (j *judge) codeOf(f *reached, t *evidence.Track, row *evidence.Row, aggregates bool, is order.Relation) string {
	switch {
	case is == order.Before && (f.look == nil || !f.look.holds(row)):
		return ""
	case is == order.Before:
		return "look-back"
	case f.how == otherRank:
		return "other-rank"
	case f.how == otherProcess:
		return "other-process"
	case is == order.Unproven:
		return "order-unproven"
	}
	switch j.cleared(f.fault, t.Printer, row) {
	case clear:
		return ""
	case notReset:
		return "not-reset"
	case loadUnknown:
		return "resume-unknown"
	case perhapsEnded:
		return "perhaps-ended"
	}
	if aggregates {
		return "window-holds-fault"
	}
	return "after-fault"
}

// write puts a reason of a fault in words; one that says the same of every row is
// written once.
func (j *judge) write(f *fault, code string, p *order.Proof) []Reason {
	key := saying{code: code}
	switch code {
	case "look-back":
		return []Reason{j.lookBack(f)}
	case "order-unproven":
		return []Reason{j.t.reason(code, vars{"marker": name(f.marker), "how": p.Why()}, markerRef(f.marker))}
	case "after-fault":
		key.how = p.Why()
	}
	return f.say(key, func() Reason {
		why := j.t.reason(code, vars{"marker": name(f.marker), "window": "the whole process", "where": f.source.ID}, markerRef(f.marker))
		if key.how != "" {
			why.Text += "; order: " + key.how
		}
		return why
	})
}

// clearing is what lies between a fault and a row.
type clearing int

const (
	stays clearing = iota
	clear
	notReset
	loadUnknown
	perhapsEnded // it may be another program that printed the row
)

// cleared looks for a clearing boundary between the fault and the row: a new
// process that loads only artifacts from before the fault; for a fault of a
// device or node also a reset, a reboot or a passing probe.
func (j *judge) cleared(f *fault, printer string, row *evidence.Row) clearing {
	bounds := j.near.begins(f.event.At.Source, printer)
	if row.First.Source != f.event.At.Source || len(bounds) == 0 {
		return stays
	}
	clears, known := f.clears[printer]
	if !known {
		if f.clears == nil {
			f.clears = map[string][]clearing{}
		}
		clears = j.clearings(f, bounds)
		f.clears[printer] = clears
	}
	n := sort.Search(len(bounds), func(i int) bool { return bounds[i].At.Offset > row.First.Offset })
	if n == 0 {
		return stays
	}
	return clears[n-1]
}

// clearings is what each boundary of the fault's source leaves of the fault.
func (j *judge) clearings(f *fault, bounds []*evidence.Boundary) []clearing {
	out := make([]clearing, len(bounds))
	state, reset := stays, false
	for i, b := range bounds {
		if b.At.Offset > f.event.At.Offset {
			reset = reset || b.DeviceReset
			switch {
			case b.NewProcess && state != clear:
				state = j.loaded(b, f)
			case b.Kind == evidence.PerhapsKind && state == stays && f.marker.Goes == evidence.Stops:
				state = perhapsEnded
			}
		}
		out[i] = state
		if state == clear && needsReset(f.marker) && !reset {
			out[i] = notReset
		}
	}
	return out
}

// loaded tells whether a new process loads only what was there before the fault.
func (j *judge) loaded(b *evidence.Boundary, f *fault) clearing {
	if c, ok := j.byArtifact(b, f); ok {
		return c
	}
	if b.Resumed == nil {
		if j.trainsAnew(b) {
			return clear
		}
		return loadUnknown
	}
	steps := f.event.Steps()
	switch {
	case *b.Resumed == 0, steps.HasLo && *b.Resumed <= steps.Lo:
		return clear
	case steps.HasHi && *b.Resumed >= steps.Hi:
		return stays
	}
	return loadUnknown
}

func needsReset(m *evidence.Marker) bool {
	return m.Scope == evidence.Device || m.Scope == evidence.Node
}
