package verdict

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// behind reports whether the steps of a part can stand behind a value: it had
// begun, and no process had taken its place.
func (l *lineage) behind(p *part, row *evidence.Row) bool {
	if precedes(row, p.begun.sink) {
		return false
	}
	return !slices.ContainsFunc(p.replacedBy, func(q *part) bool {
		return q.begun.sink != nil && q.begun.sink.Source == row.First.Source && q.begun.sink.Offset <= row.First.Offset
	})
}

// replaces reports whether what is printed once q has begun is no more of p: p
// was not heard of since, and q goes on from it, or is a training that has
// nothing to do with it.
func (l *lineage) replaces(q, p *part) bool {
	switch {
	case !oneRank(q.Rank, p.Rank) || q.id == p.id || len(p.Points) == 0 || p.last >= q.begun.at.Time:
		return false
	case q.root() == p.root():
		return true
	}
	return (q.anew || q.read != nil) && !l.linked(q, p)
}

func (p *part) root() *part {
	for p.from != nil {
		p = p.from
	}
	return p
}

// linked: q read a file that p, or one that p goes on from, wrote.
func (l *lineage) linked(q, p *part) bool {
	read := l.files("read", q)
	for ; p != nil; p = p.from {
		for _, w := range l.files("wrote", p) {
			if slices.ContainsFunc(read, func(r string) bool { return sameFile(r, w) || strings.HasPrefix(w, r+"/") }) {
				return true
			}
		}
	}
	return false
}

// files are those that the process of a part wrote or read, whoever says so.
func (l *lineage) files(op string, p *part) []string {
	var paths []string
	for i := range l.run.Artifacts {
		if a := &l.run.Artifacts[i]; a.Op == op && a.Pid == p.id.pid {
			paths = append(paths, path.Clean(a.Path))
		}
	}
	return paths
}

// tell says how a part was joined, and what is missing between it and what it
// goes on from.
func (p *part) tell(wrote *evidence.Artifact, base evidence.StepPoint, same bool, carried *evidence.Carried) {
	at := ""
	if p.read.Step != nil {
		at = " at step " + number(*p.read.Step)
	}
	p.how = fmt.Sprintf("process %d went on%s from %s", p.Pid, at, p.read.Path)
	if p.from == nil {
		p.how += ", which no process of this run is known to have written: the steps before it are in no record of this run"
		if carried != nil {
			p.how += fmt.Sprintf("; the checkpoint counts %d, %d of them applied", carried.Attempted, carried.Applied)
		}
		return
	}
	p.how += fmt.Sprintf(", behind %d attempted steps of process %d", base.Attempted, p.from.Pid)
	if again := p.from.Attempted - base.Attempted; again > 0 {
		p.how += fmt.Sprintf("; %s that were made behind it, and lost, count for nothing that this process gives", p.from.more(again))
	}
	p.gap = p.missing(wrote, base, same, carried)
}

// more is a number of steps at the end of a part. One that was killed has made a
// few since it wrote down how many: up to one in sixteen.
func (p *part) more(n int64) string {
	if p.ended {
		return fmt.Sprintf("%d more", n)
	}
	return fmt.Sprintf("at least %d more", n)
}

// missing says what lies between a part and the one before it; empty: nothing.
// A counter that stands lower than when the file was written is none: scalers
// that roll a step back take their counter back, too.
func (p *part) missing(wrote *evidence.Artifact, base evidence.StepPoint, same bool, carried *evidence.Carried) string {
	seen := &p.from.Points[len(p.from.Points)-1]
	switch {
	case !same:
		return fmt.Sprintf("%s is not as process %d left it: size or content differ", p.read.Path, p.from.Pid)
	case carried != nil && wrote != nil && carried.Attempted != base.Attempted:
		return fmt.Sprintf("%s counts %d attempted steps, and process %d had counted %d when it wrote it", p.read.Path, carried.Attempted, p.from.Pid, base.Attempted)
	case carried != nil && wrote != nil:
		return ""
	case carried != nil && carried.Attempted > p.from.Attempted:
		return fmt.Sprintf("%s counts %d attempted steps, and %d were seen: the others are in no record of this run", p.read.Path, carried.Attempted, p.from.Attempted)
	case p.read.Step == nil:
		return ""
	case wrote != nil && wrote.Step != nil && *p.read.Step > *wrote.Step:
		return fmt.Sprintf("%s was written at step %s, and process %d says that it stands at %s", p.read.Path, number(*wrote.Step), p.Pid, number(*p.read.Step))
	case wrote == nil && seen.Step != nil && *p.read.Step > *seen.Step:
		return fmt.Sprintf("the last step that was seen before it is %s of process %d: steps up to %s are in no record of this run", number(*seen.Step), p.from.Pid, number(*p.read.Step))
	}
	return ""
}

// joins are the notes on processes that went on from a checkpoint.
func (j *judge) joins() []Note {
	var out []Note
	said := map[string]bool{}
	for _, p := range j.lines.parts {
		if p.read == nil || said[p.how] {
			continue
		}
		said[p.how] = true
		at := Ref{At: p.read.At, Text: p.read.Path}
		out = append(out, j.t.note("resumed", vars{"how": p.how}, at))
		if p.gap != "" {
			out = append(out, j.t.note("resume-gap", vars{"how": p.gap}, at))
		}
	}
	return out
}

// gap: steps behind a value are in no record.
func (l *lineage) gap() bool {
	return slices.ContainsFunc(l.parts, func(p *part) bool { return p.gap != "" })
}

// recordedSteps are the totals of a training that went on in another process,
// each step once; nil: there was none.
func (j *judge) recordedSteps() *Steps {
	var last *part
	for _, p := range j.lines.parts {
		if p.from != nil && (last == nil || !oneRank(p.Rank, last.Rank) || p.root() == last.root()) && (last == nil || oneRank(p.Rank, last.Rank)) {
			last = p
		}
	}
	if last == nil {
		return nil
	}
	processes, again, exact := 1, int64(0), true
	for p := last; p.from != nil; p = p.from {
		processes++
		again += p.again
		exact = exact && p.from.ended
	}
	s := &Steps{Attempted: last.Attempted, Skipped: last.Skipped, Effective: last.Applied}
	s.Text = fmt.Sprintf("%d of %d attempted optimizer steps skipped, %d effective, in %d processes that went on from one another", s.Skipped, s.Attempted, s.Effective, processes)
	if again > 0 {
		s.Text += fmt.Sprintf("; %s were lost when a process ended", (&part{ended: exact}).more(again))
	}
	return s
}

// goesOn: the training of a process goes on in another one, from a checkpoint of
// its own.
func (l *lineage) goesOn(b *evidence.Boot) bool {
	return slices.ContainsFunc(l.parts, func(p *part) bool {
		return p.from != nil && p.from.is(b) && p.sure
	})
}

// is tells whether a part is of a process.
func (p *part) is(b *evidence.Boot) bool {
	return p.id.pid == b.Pid && strings.HasSuffix("/"+p.id.source, "/"+b.File)
}
