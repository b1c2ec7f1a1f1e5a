package verdict

import (
	"fmt"
	"slices"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// result assembles what the report shows.
func (j *judge) result() *Result {
	j.disagreements()
	j.calledDisagree()
	j.runMeans()
	r := &Result{Version: ResultVersion, Decisions: j.ev.Decisions}
	r.Claims = j.claims()
	r.Series = j.series()
	r.Others = j.others(r.Claims)
	if j.cfg.All {
		r.Values = j.values()
	}
	r.Artifacts = j.artifacts()
	r.Faults, r.Crashes, r.Losses = j.events(evidence.Fault), j.events(evidence.Crash), j.events(evidence.Degraded)
	r.LastBefore = j.lastBefore(r.Claims)
	r.Steps = j.steps()
	r.Run = j.run(r.Claims)
	r.Headline, r.Level = r.Run.Verdict, r.Run.Level
	r.Machine, r.Ending = j.machine(), ending(j.ev.Run)
	r.Notes = append(j.notes, j.otherNotes()...)
	r.Skipped = j.notLooked()
	for i := range j.ev.Sources {
		s := &j.ev.Sources[i]
		r.Sources = append(r.Sources, SourceLine{ID: s.ID, Kind: s.Kind, Bytes: s.Bytes, Lines: s.Lines})
	}
	j.remark(r.Claims)
	return r
}

// run is the verdict over the claims.
func (j *judge) run(claims []Subject) Subject {
	s := Subject{Kind: "run", Name: "run", Level: Probed}
	if len(claims) == 0 {
		s.Verdict, s.Level = Unproven, Log
		s.Why = []Reason{j.t.reason("no-metric", nil)}
		return s
	}
	for i := range claims {
		if claims[i].Verdict > s.Verdict {
			s.Verdict, s.Why = claims[i].Verdict, claims[i].Why
		}
		s.Level = min(s.Level, claims[i].Level)
	}
	return s
}

// series cuts every training metric where its verdict changes.
func (j *judge) series() []Series {
	var out []Series
	for ti := range j.ev.Tracks {
		t := &j.ev.Tracks[ti]
		for ci := range t.Columns {
			c := &t.Columns[ci]
			if c.Role != evidence.Series {
				continue
			}
			if st := j.stretches(ti, ci); len(st) > 0 {
				out = append(out, Series{Name: c.Name, Printed: c.Printed, Source: t.Source, Role: c.Role, Stretches: st})
			}
		}
	}
	return out
}

func (j *judge) stretches(ti, ci int) []Stretch {
	t := &j.ev.Tracks[ti]
	var out []Stretch
	for ri := range t.Rows {
		row := &t.Rows[ri]
		if ci >= len(row.Cells) || row.Cells[ci].N == 0 {
			continue
		}
		c, cell := j.cells[ti][ri][ci], &row.Cells[ci]
		if n := len(out); n > 0 && out[n-1].Verdict == c.verdict && out[n-1].To.Segment == row.First.Segment && sameCodes(out[n-1].Why, c.why) {
			s := &out[n-1]
			s.To, s.Step.Last, s.Epoch.Last = row.Last, shownStep(t, row).Last, row.Epoch.Last
			s.Last, s.Text, s.N = cell.Last, cell.Text, s.N+cell.N
			continue
		}
		out = append(out, Stretch{
			Verdict: c.verdict, Level: j.level(t.Source, &t.Columns[ci]), Why: c.why, From: row.First, To: row.Last,
			Step: shownStep(t, row), Epoch: row.Epoch, First: cell.First, Last: cell.Last, Text: cell.Text, N: cell.N,
		})
	}
	return out
}

func sameCodes(a, b []Reason) bool {
	return slices.EqualFunc(a, b, func(x, y Reason) bool { return x.Code == y.Code })
}

// others are the last values of what sets no exit code: diagnostics and speed.
func (j *judge) others(claims []Subject) []Subject {
	claimed := map[string]bool{}
	for _, c := range claims {
		claimed[c.Name] = true
	}
	last := j.lastOf(func(c *evidence.Column) bool {
		return (c.Role == evidence.Diagnostic || c.Role == evidence.Speed) && !claimed[c.Name]
	})
	var out []Subject
	for _, key := range sortedKeys(last) {
		out = append(out, j.fold(last[key])...)
	}
	return out
}

// values is every cell.
func (j *judge) values() []Subject {
	n := 0
	for _, rows := range j.cells {
		for _, row := range rows {
			n += len(row)
		}
	}
	out := make([]Subject, 0, n) // a list that grows would take its memory twice
	for ti := range j.ev.Tracks {
		for ri := range j.cells[ti] {
			for ci := range j.cells[ti][ri] {
				if j.cells[ti][ri][ci].present && !j.alsoPrinted(place{ref{ti, ri}, ci}) {
					out = append(out, j.subject(place{ref{ti, ri}, ci}))
				}
			}
		}
	}
	return out
}

// lastBefore is, for each claim that is not to be believed, the last value of
// its metric that is.
func (j *judge) lastBefore(claims []Subject) []Subject {
	var out []Subject
	done := map[string]bool{}
	for _, c := range claims {
		if c.Verdict < Unproven || done[c.Name] || c.Why[0].Code == "level-too-low" { // nothing happened to it
			continue
		}
		done[c.Name] = true
		if s, ok := j.lastGood(j.source(c.At.Source).Group, c.Name); ok {
			out = append(out, s)
		}
	}
	return out
}

func (j *judge) lastGood(group, metric string) (Subject, bool) {
	best, found := Subject{}, false
	for ti := range j.ev.Tracks {
		t := &j.ev.Tracks[ti]
		ci := slices.IndexFunc(t.Columns, func(c evidence.Column) bool { return c.Name == metric })
		if ci < 0 || j.source(t.Source).Group != group {
			continue
		}
		for ri := len(t.Rows) - 1; ri >= 0; ri-- {
			if ci >= len(j.cells[ti][ri]) || !j.cells[ti][ri][ci].present || j.cells[ti][ri][ci].verdict > Degraded {
				continue
			}
			if s := j.subject(place{ref{ti, ri}, ci}); !found || further(s, best) {
				best, found = s, true
			}
			break
		}
	}
	return best, found
}

// events folds markers of one block into one event.
func (j *judge) events(class evidence.Class) []Event {
	var out []Event
	type line struct {
		source string
		no     int64
	}
	index, byLine := map[string]int{}, map[line]bool{}
	for i := range j.ev.Markers {
		m := &j.ev.Markers[i]
		if m.Class != class || m.Quoted != "" || m.Count == 1 && m.First.Line > 0 && byLine[line{m.First.Source, m.First.Line}] {
			continue // the same line in other words
		}
		byLine[line{m.First.Source, m.First.Line}] = true
		key := fmt.Sprintf("%s\x00%d\x00%s", m.First.Source, m.First.Segment, block(m))
		last := Ref{At: m.Last}
		if m.Last == m.First {
			last.Text = m.Text // the text kept is that of the first line
		}
		if k, ok := index[key]; ok {
			e := &out[k]
			e.Count += m.Count
			if m.First.Offset < e.First.At.Offset {
				e.First, e.ID = markerRef(m), m.ID
			}
			if m.Last.Offset > e.Last.At.Offset {
				e.Last = last
			}
			continue
		}
		index[key] = len(out)
		out = append(out, Event{ID: m.ID, Scope: m.Scope, Count: m.Count, First: markerRef(m), Last: last, Text: m.Title, Effect: m.Effect, Note: setAsideFault(m)})
	}
	return out
}

func setAsideFault(m *evidence.Marker) string {
	if m.Class != evidence.Fault {
		return ""
	}
	return setAside(m)
}

// cutArtifacts: the disk was full, and the log does not say which file was open.
func (j *judge) cutArtifacts() []Subject {
	var out []Subject
	for i := range j.ev.Markers {
		m := &j.ev.Markers[i]
		if m.Quoted != "" || m.Class != evidence.Crash || m.Effect != "completeness" {
			continue
		}
		s := Subject{Kind: "artifact", Name: "checkpoint", At: m.First, Verdict: Unproven}
		for _, r := range j.seqs[m.First.Source] {
			if row := j.row(r); row.First.Offset < m.First.Offset && stepClock(j.track(r), row).Has {
				s.Step = row.Step
			}
		}
		s.Why = []Reason{j.t.reason("artifact-cut", vars{"marker": name(m)}, markerRef(m))}
		out = append(out, s)
	}
	return out
}

// machine is the subject of what the run directory carries of the machine.
func (j *judge) machine() *Subject {
	run := j.ev.Run
	if run == nil || (len(run.Machine) == 0 && len(run.Probes) == 0) {
		return nil
	}
	done := settle(j.machineReasons(run))
	s := &Subject{Kind: "machine", Name: "machine", Verdict: done.verdict, Why: done.why}
	if run.Sealed {
		s.Level = Captured
	}
	return s
}
