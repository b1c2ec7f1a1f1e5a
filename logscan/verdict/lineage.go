package verdict

import (
	"cmp"
	"path"
	"slices"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// A training that was killed goes on in another process, whose step ledger
// counts from 0. Its record names the checkpoint; the record of the process that
// wrote that says where the ledger stood. So the parts of a training are joined,
// one part a process: behind a value stand the steps of its own part, and those
// that the parts before it had made when the checkpoint was written.

// part is the step ledger of one optimizer in one process.
type part struct {
	evidence.StepLedger // its counts go on from those of the part before

	id    writer
	read  *evidence.Resume // nil: it begins anew
	from  *part            // the one before; nil: none is known
	begun mark
	last  int64 // time of the last record of the process
	ended bool  // an end record closes it
	again int64 // steps of the part before that lie behind the checkpoint
	anew  bool  // the trainer's counter began with the ledger
	how   string
	sure  bool   // the record of the process before shows where the checkpoint stands in it
	gap   string // what is missing between this part and the one before

	replacedBy []*part // once one of them has begun, nothing is of this part
}

// writer is a process, as the records know it.
type writer struct {
	source string
	pid    int
}

// mark is the moment of a record.
type mark struct {
	at   evidence.Pos
	sink *evidence.Pos
}

// lineage joins the ledgers of a run.
type lineage struct {
	run   *evidence.Run
	parts []*part // in the order in which they began
}

func newLineage(run *evidence.Run) *lineage {
	l := &lineage{run: run}
	if run == nil {
		return l
	}
	for i := range run.Steps {
		l.add(&run.Steps[i])
	}
	slices.SortStableFunc(l.parts, func(a, b *part) int {
		return cmp.Or(cmp.Compare(a.begun.at.Time, b.begun.at.Time), cmp.Compare(a.begun.at.Source, b.begun.at.Source))
	})
	for i, p := range l.parts {
		if p.read != nil {
			l.join(p, l.parts[:i])
		}
	}
	for _, p := range l.parts {
		for _, q := range l.parts {
			if l.replaces(q, p) {
				p.replacedBy = append(p.replacedBy, q)
			}
		}
	}
	return l
}

func (l *lineage) add(s *evidence.StepLedger) {
	p := &part{StepLedger: *s}
	if len(s.Points) == 0 { // nothing says when it stepped
		l.parts = append(l.parts, p)
		return
	}
	first := &s.Points[0]
	p.id = writer{first.At.Source, s.Pid}
	p.begun = mark{first.At, first.Sink}
	p.anew = first.Step == nil || *first.Step <= float64(first.Attempted)
	for i := range l.run.Resumes { // the last one before its first step: what it loads later is no beginning
		r := &l.run.Resumes[i]
		if (writer{r.At.Source, r.Pid}) == p.id && r.At.Offset < first.At.Offset && (p.read == nil || r.At.Offset > p.read.At.Offset) {
			p.read = r
		}
	}
	if p.read != nil {
		p.begun = mark{p.read.At, p.read.Sink}
	}
	p.last = l.lastOf(p)
	p.ended = slices.ContainsFunc(l.run.Boots, func(b evidence.Boot) bool { return b.Ended && p.is(&b) })
	l.parts = append(l.parts, p)
}

// lastOf is when the process of a part was last heard of.
func (l *lineage) lastOf(p *part) int64 {
	last := p.Points[len(p.Points)-1].At.Time
	hear := func(at evidence.Pos, pid int) {
		if (writer{at.Source, pid}) == p.id {
			last = max(last, at.Time)
		}
	}
	for i := range p.Skips {
		hear(p.Skips[i].At, p.Pid)
	}
	for i := range l.run.Metrics {
		m := &l.run.Metrics[i]
		if n := len(m.Points); n > 0 {
			hear(m.Points[n-1].At, m.Pid)
		}
	}
	for i := range l.run.Artifacts {
		hear(l.run.Artifacts[i].At, l.run.Artifacts[i].Pid)
	}
	for i := range l.run.Findings {
		hear(l.run.Findings[i].At, l.run.Findings[i].Pid)
	}
	return last
}

// join finds the part that a resumed one goes on from, and counts on from there.
func (l *lineage) join(p *part, before []*part) {
	wrote := l.written(p)
	p.from = l.partOf(p, wrote, before)
	base, same, carried := evidence.StepPoint{}, true, p.carried()
	switch {
	case p.from != nil && wrote != nil:
		base = p.from.at(wrote)
		same = unchanged(wrote, p.read)
	case p.from != nil:
		base = p.from.stoodAt(p.read, carried)
	}
	if p.from == nil && carried != nil {
		base.Attempted, base.Applied, base.Skipped = carried.Attempted, carried.Applied, carried.Attempted-carried.Applied
	}
	p.sure = wrote != nil || p.from != nil && carried != nil && carried.Attempted == base.Attempted
	p.tell(wrote, base, same, carried)
	p.goOn(base)
}

// written is the last time that the checkpoint of a part was written before it
// was read.
func (l *lineage) written(p *part) *evidence.Artifact {
	var last *evidence.Artifact
	for i := range l.run.Artifacts {
		a := &l.run.Artifacts[i]
		if a.Op == "wrote" && a.At.Time <= p.read.At.Time && (writer{a.At.Source, a.Pid}) != p.id &&
			(last == nil || a.At.Time >= last.At.Time) && l.isRecord(a) && sameFile(a.Path, p.read.Path) {
			last = a
		}
	}
	return last
}

// isRecord: the process itself said it, when it was so.
func (l *lineage) isRecord(a *evidence.Artifact) bool {
	return slices.ContainsFunc(l.parts, func(p *part) bool { return p.id == writer{a.At.Source, a.Pid} })
}

// partOf is the ledger of the same optimizer and rank in the process that wrote
// the checkpoint, or in that one's neighbour where one rank writes for all. Where
// nobody is known to have written it, it is the last one that knew its folder.
func (l *lineage) partOf(p *part, wrote *evidence.Artifact, before []*part) *part {
	var found *part
	for _, q := range before {
		if q.Optimizer != p.Optimizer || !oneRank(q.Rank, p.Rank) || q.id == p.id || len(q.Points) == 0 {
			continue
		}
		switch {
		case wrote == nil:
			if l.knows(q, path.Dir(p.read.Path)) && q.last <= p.begun.at.Time {
				found = q
			}
		case q.id == writer{wrote.At.Source, wrote.Pid}:
			return q
		case !oneRank(wrote.Rank, p.Rank) && q.begun.at.Time <= wrote.At.Time:
			found = q
		}
	}
	return found
}

// knows: the process wrote or read a file in that folder.
func (l *lineage) knows(p *part, folder string) bool {
	return folder != "." && slices.ContainsFunc(l.run.Artifacts, func(a evidence.Artifact) bool {
		return writer{a.At.Source, a.Pid} == p.id && sameFile(path.Dir(a.Path), folder)
	})
}

func oneRank(a, b *int) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

// at is where the ledger stood when a file was written.
func (p *part) at(wrote *evidence.Artifact) evidence.StepPoint {
	return p.stood(func(s *evidence.StepPoint) bool {
		if s.At.Source == wrote.At.Source {
			return s.At.Offset < wrote.At.Offset
		}
		return s.At.Time <= wrote.At.Time
	})
}

// stoodAt is where it stood at a checkpoint whose writing is in no record: a
// process that is killed between the two leaves one such. What the file counts
// tells more than a step.
func (p *part) stoodAt(r *evidence.Resume, c *evidence.Carried) evidence.StepPoint {
	return p.stood(func(s *evidence.StepPoint) bool {
		if c != nil {
			return s.Attempted <= c.Attempted
		}
		return r.Step == nil || s.Step == nil || *s.Step <= *r.Step
	})
}

func (p *part) stood(before func(*evidence.StepPoint) bool) evidence.StepPoint {
	var found evidence.StepPoint
	for i := range p.Points {
		if before(&p.Points[i]) {
			found = p.Points[i]
		}
	}
	return found
}

func (p *part) carried() *evidence.Carried {
	for i := range p.read.Carried {
		if c := &p.read.Carried[i]; c.Optimizer == p.Optimizer {
			return c
		}
	}
	return nil
}

// unchanged: what was read is what was written, as far as both say.
func unchanged(wrote *evidence.Artifact, read *evidence.Resume) bool {
	if read.Size != nil && wrote.Size != 0 && *read.Size != wrote.Size {
		return false
	}
	return wrote.Sample == "" || read.Sample == "" || wrote.Sample == read.Sample
}

// goOn counts the ledger on from a point of the one before.
func (p *part) goOn(base evidence.StepPoint) {
	points := []evidence.StepPoint{{At: p.read.At, Sink: p.read.Sink, Step: p.read.Step,
		Attempted: base.Attempted, Applied: base.Applied, Skipped: base.Skipped}}
	for _, s := range p.Points {
		s.Attempted, s.Applied, s.Skipped = s.Attempted+base.Attempted, s.Applied+base.Applied, s.Skipped+base.Skipped
		points = append(points, s)
	}
	var skips []evidence.Skips
	if p.from != nil {
		p.again = p.from.Attempted - base.Attempted
		skips = until(p.from.Skips, base)
	}
	for _, s := range p.Skips {
		s.From, s.Until = onBy(s.From, base.Attempted), onBy(s.Until, base.Attempted)
		skips = append(skips, s)
	}
	p.Points, p.Skips = points, skips
	p.Attempted, p.Applied, p.Skipped = p.Attempted+base.Attempted, p.Applied+base.Applied, p.Skipped+base.Skipped
	if p.Planned > 0 {
		p.Planned += base.Attempted
	}
}

// until are the stretches of skipped steps before a point; one that goes on
// behind it is cut there.
func until(skips []evidence.Skips, base evidence.StepPoint) []evidence.Skips {
	var out []evidence.Skips
	for _, s := range skips {
		switch {
		case s.From == nil || s.Until == nil:
			if s.At.Source != base.At.Source || s.At.Offset > base.At.Offset {
				continue
			}
		case *s.From > base.Attempted:
			continue
		case *s.Until > base.Attempted:
			end := base.Attempted
			s.Until, s.N = &end, min(s.N, end-*s.From+1)
			s.InRow = min(s.InRow, s.N)
		}
		out = append(out, s)
	}
	return out
}

func onBy(n *int64, by int64) *int64 {
	if n == nil {
		return nil
	}
	m := *n + by
	return &m
}
