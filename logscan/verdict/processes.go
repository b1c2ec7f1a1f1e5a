package verdict

import (
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// Where lines name the process that printed them, and kernel lines the one that
// they tell of, a fault of one process is not another's.

// apart reports whether a marker and a row of one source are of two processes.
// Where one of them does not name its process, only what begins for all of the
// source tells them apart.
func (j *judge) apart(m *evidence.Marker, t *evidence.Track, row *evidence.Row) bool {
	switch {
	case m.Printer == t.Printer:
		return m.First.Segment != row.First.Segment
	case evidence.Apart(m.Printer, t.Printer):
		return true
	}
	for _, b := range j.near.boundaries[row.First.Source] {
		if b.Printer == "" && (b.At.Offset > m.First.Offset) != (b.At.Offset > row.First.Offset) {
			return true
		}
	}
	return false
}

// reachesProcess says how a fault of one process concerns a table.
func (j *judge) reachesProcess(f *fault, t *evidence.Track) reach {
	m, s := f.marker, j.source(t.Source)
	kernel := m.Origin == "kernel" && m.Printer != ""
	switch {
	case m.Origin == "kernel" && j.beganBehind(f, t) && j.fromScratch(t):
		return outside
	case t.Printer == "" && f.source.ID == s.ID && !kernel && ownLabel(m.Printer):
		// the launcher labels what its workers print: this is its own line
	case !evidence.Apart(m.Printer, t.Printer), j.beginsAnew(f, t):
		return in
	case kernel && hasPrinted(s, m.Printer):
		return outside
	case kernel:
		return otherProcess // that printed nothing here: another job's, or a child's
	}
	if m.Goes == evidence.Stops {
		return outside
	}
	return otherProcess
}

// onOtherHost: the kernel of another machine says nothing of this one; a process
// there may be a rank of the same job.
func (j *judge) onOtherHost(f *fault) reach {
	if f.marker.Origin == "kernel" || f.marker.Goes == evidence.Stops {
		return outside
	}
	return otherRank
}

// ownLabel: the process is named by a launcher, which names all of its workers.
func ownLabel(printer string) bool { return strings.HasSuffix(printer, string(evidence.OwnPid[1:])) }

func hasPrinted(s *evidence.Source, printer string) bool {
	for i := range s.Printers {
		if s.Printers[i].Name == printer {
			return true
		}
	}
	return false
}

// beginsAnew: the process of a table began behind the fault, and so may have
// loaded what the other one left.
func (j *judge) beginsAnew(f *fault, t *evidence.Track) bool {
	for _, b := range j.near.boundaries[t.Source] {
		if t.Printer != "" && b.Printer == t.Printer && b.At.Source == f.event.At.Source && b.At.Offset > f.event.At.Offset {
			return true
		}
	}
	return false
}

// beganBehind: all that a table's process is known to have printed came later
// than the fault, which ends what the process that it hit can compute.
func (j *judge) beganBehind(f *fault, t *evidence.Track) bool {
	s := j.source(t.Source)
	first := s.Begins
	for i := range s.Printers {
		if s.Printers[i].Name == t.Printer {
			first = &s.Printers[i].First
		}
	}
	switch {
	case first == nil:
		return false
	case first.Source == f.event.At.Source:
		return first.Offset > f.event.At.Offset
	}
	return j.x.Later(f.event.At, *first)
}

// fromScratch: the training behind a table loads nothing that an earlier one left:
// its counters begin at their start, and no line tells of a resume.
func (j *judge) fromScratch(t *evidence.Track) bool {
	if len(j.near.resumes[t.Source]) > 0 {
		return false
	}
	for _, ti := range j.near.tracks[t.Source] {
		if other := &j.ev.Tracks[ti]; other.Printer == t.Printer && !made(other) && !countsFromStart(other.Rows) {
			return false
		}
	}
	return true
}

// made: the table is made of markers, and its counters are those of single lines.
func made(t *evidence.Track) bool { return strings.HasPrefix(t.Format, evidence.SkipFormat) }

// trainsAnew: behind the boundary a training counts from its start, and nothing
// is told to be read: it can hold nothing of what was before.
func (j *judge) trainsAnew(b *evidence.Boundary) bool {
	for i := range j.ev.Artifacts {
		if a := &j.ev.Artifacts[i]; a.Op == "read" && a.At.Source == b.At.Source && a.At.Segment == b.At.Segment {
			return false
		}
	}
	trains := false
	for _, ti := range j.near.tracks[b.At.Source] {
		t := &j.ev.Tracks[ti]
		from := slices.IndexFunc(t.Rows, func(r evidence.Row) bool { return r.First.Segment == b.At.Segment })
		if from < 0 || made(t) {
			continue
		}
		rows := t.Rows[from:]
		if n := slices.IndexFunc(rows, func(r evidence.Row) bool { return r.First.Segment != b.At.Segment }); n >= 0 {
			rows = rows[:n]
		}
		_, training := trainingLoss(t, &rows[0])
		trains = trains || training && (rows[0].Step.Has || rows[0].Epoch.Has)
		if !countsFromStart(rows) {
			return false
		}
	}
	return trains
}

// countsFromStart: the first record lies no farther from zero than the second
// from it. Records without a counter say nothing against it.
func countsFromStart(rows []evidence.Row) bool {
	if len(rows) == 0 {
		return true
	}
	first := &rows[0]
	if first.Epoch.Has {
		return first.Epoch.First <= 1
	}
	if !first.Step.Has || first.Step.First <= 1 {
		return true
	}
	switch {
	case first.N > 1:
		return float64(first.Step.First) <= float64(first.Step.Last-first.Step.First)/float64(first.N-1)
	case len(rows) > 1:
		return first.Step.First <= rows[1].Step.First-first.Step.First
	}
	return false
}

// begins lists the boundaries of a source that are one process's: its own, and
// those at which all begins.
func (n *near) begins(source, printer string) []*evidence.Boundary {
	all := n.boundaries[source]
	named := false
	for _, b := range all {
		named = named || b.Printer != ""
	}
	if !named {
		return all
	}
	var out []*evidence.Boundary
	for _, b := range all {
		if b.Printer == "" || b.Printer == printer {
			out = append(out, b)
		}
	}
	return out
}
