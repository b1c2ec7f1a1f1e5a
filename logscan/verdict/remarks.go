package verdict

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// steps sums what is known of optimizer steps over all processes.
func (j *judge) steps() *Steps {
	var out *Steps
	for p, s := range j.skips {
		most := s.count(math.MaxInt64).skipped
		last, ok := j.lastRow(p)
		if most == 0 || !ok {
			continue
		}
		attempted, exact, _ := j.attemptedBefore(last, most)
		if out == nil {
			out = &Steps{}
		}
		out.Skipped += int64(most)
		out.LowerBound = out.LowerBound || !exact
		if exact {
			out.Attempted += int64(attempted)
			out.Effective += int64(attempted - most)
		}
	}
	if out == nil {
		return j.recordedSteps()
	}
	out.Text = fmt.Sprintf("%d optimizer steps skipped", out.Skipped)
	switch {
	case out.LowerBound:
		out.Text = "at least " + out.Text
	case out.Attempted > 0:
		out.Text = fmt.Sprintf("%d of %d attempted optimizer steps skipped, %d effective", out.Skipped, out.Attempted, out.Effective)
	}
	return out
}

func (j *judge) lastRow(p proc) (ref, bool) {
	seq := j.seqs[p.source]
	for i := len(seq) - 1; i >= 0; i-- {
		if j.row(seq[i]).First.Segment == p.segment {
			return seq[i], true
		}
	}
	return ref{}, false
}

// remark adds what a reader should know of a value beside its verdict.
func (j *judge) remark(claims []Subject) {
	for i := range claims {
		c := &claims[i]
		if n := j.constant(c.Name); n >= 3 {
			c.Remarks = append(c.Remarks, fmt.Sprintf("constant: the same to the last digit at all %d evaluations", n))
		}
		if gap, ok := j.bestGap(c.Name); ok && c.Samples != nil && *c.Samples > 0 && gap < 1/float64(*c.Samples) {
			c.Remarks = append(c.Remarks, fmt.Sprintf("the best was won by %.3g, less than one sample (%s)", gap, c.Sample))
		}
	}
}

// otherRanks says that other ranks have other values of the evaluation that is
// shown: each measured its own part, and no line holds their mean.
func (j *judge) otherRanks(places []place, ids []int, shown int) string {
	rank := j.rankAt(places[shown])
	if rank < 0 {
		return ""
	}
	low, high := shown, shown
	for _, i := range ids {
		if r := j.rankAt(places[i]); r < 0 || r == rank || !oneMoment(j.row(places[shown].ref), j.row(places[i].ref)) || !j.cell(places[i]).Last.Finite() {
			continue
		}
		if j.cell(places[i]).Last < j.cell(places[low]).Last {
			low = i
		}
		if j.cell(places[i]).Last > j.cell(places[high]).Last {
			high = i
		}
	}
	a, b := j.cell(places[low]), j.cell(places[high])
	if evidence.Agree(a, b) {
		return ""
	}
	return fmt.Sprintf("this is rank %d's: the ranks have %s (rank %d) to %s (rank %d), and no line that was read holds one value for all",
		rank, valueText(a), j.rankAt(places[low]), valueText(b), j.rankAt(places[high]))
}

// oneMoment: two rows have the same step or epoch, or neither has any.
func oneMoment(a, b *evidence.Row) bool {
	return sameClock(a, b) || !a.Step.Has && !b.Step.Has && !a.Epoch.Has && !b.Epoch.Has
}

// fineDigits behind the point: values printed with fewer are the same by rounding.
const fineDigits = 3

// constant counts the evaluations of a metric if all of them printed the same.
func (j *judge) constant(metric string) int {
	text, n := "", 0
	for _, cell := range j.evaluations(metric) {
		if n > 0 && cell.Text != text {
			return 0
		}
		if _, behind, _ := strings.Cut(cell.Text, "."); cell.Last != 0 && len(behind) < fineDigits {
			return 0
		}
		text, n = cell.Text, n+1
	}
	return n
}

// bestGap is the distance between the best and the second best evaluation.
func (j *judge) bestGap(metric string) (float64, bool) {
	best, second := math.Inf(-1), math.Inf(-1)
	for _, cell := range j.evaluations(metric) {
		switch v := float64(cell.Last); {
		case v > best:
			best, second = v, best
		case v < best && v > second:
			second = v
		}
	}
	return best - second, !math.IsInf(second, -1)
}

func (j *judge) evaluations(metric string) []*evidence.Cell {
	var out []*evidence.Cell
	for ti := range j.ev.Tracks {
		t := &j.ev.Tracks[ti]
		for ci := range t.Columns {
			if t.Columns[ci].Name != metric || t.Columns[ci].Role != evidence.Eval {
				continue
			}
			for ri := range t.Rows {
				if row := &t.Rows[ri]; ci < len(row.Cells) && row.Cells[ci].N == 1 {
					out = append(out, &row.Cells[ci])
				}
			}
		}
		if len(out) > 0 {
			return out // one source: witnesses of the same evaluation do not count twice
		}
	}
	return out
}

// otherNotes are notes that no single value carries.
func (j *judge) otherNotes() []Note {
	var out []Note
	quoted := int64(0)
	for i := range j.ev.Markers {
		m := &j.ev.Markers[i]
		switch {
		case m.Quoted != "":
			quoted += m.Count
		case m.Class == evidence.Crash && m.Goes != evidence.Stops && j.goesOn(m):
			// a handled error: the run went on
		case m.Class == evidence.Crash:
			out = append(out, j.t.note("crash", vars{"marker": name(m)}, markerRef(m)))
		}
	}
	out = append(out, j.smallScale()...)
	out = append(out, j.backends()...)
	out = append(out, j.missingRanks()...)
	if j.ev.Run != nil {
		for _, line := range j.ev.Run.Before {
			out = append(out, j.t.note("before-run", vars{"how": line}))
		}
	}
	if quoted > 0 {
		out = append(out, j.t.note("quoted", vars{"how": fmt.Sprintf("%d lines quote a marker (code, documentation, counters at zero) and are no events", quoted)}))
	}
	out = append(out, j.joins()...)
	return append(out, j.restarts()...)
}

// maxRestarts: of more restarts in one source, the first and the last are shown.
const maxRestarts = 3

// restarts are the places where a run began again.
func (j *judge) restarts() []Note {
	var out []Note
	bySource := map[string][]*evidence.Boundary{}
	var sources []string
	for i := range j.ev.Boundaries {
		b := &j.ev.Boundaries[i]
		if b.Kind != "counter-back" && b.Kind != "restart" {
			continue
		}
		if bySource[b.At.Source] == nil {
			sources = append(sources, b.At.Source)
		}
		bySource[b.At.Source] = append(bySource[b.At.Source], b)
	}
	for _, id := range sources {
		list := bySource[id]
		if len(list) <= maxRestarts {
			for _, b := range list {
				out = append(out, j.t.note("restart", vars{"how": b.Text}, Ref{At: b.At, Text: b.Text}))
			}
			continue
		}
		first, last := list[0], list[len(list)-1]
		how := fmt.Sprintf("%d times; first: %s; last: %s", len(list), first.Text, last.Text)
		out = append(out, j.t.note("restart", vars{"how": how}, Ref{At: first.At, Text: first.Text}, Ref{At: last.At, Text: last.Text}))
	}
	return out
}

// notLooked says what could not be checked, why, and how to get it.
func (j *judge) notLooked() []Note {
	var out []Note
	stderr := false
	for i := range j.ev.Sources {
		s := &j.ev.Sources[i]
		stderr = stderr || s.StderrShown || s.Stream == "err" || s.Stream == "both" || s.Capture != nil
		for _, n := range s.Notes {
			out = append(out, Note{Code: "source", Text: s.ID + ": " + n})
		}
		if s.Sampled {
			out = append(out, j.t.note("sampled", vars{"how": s.ID + ": training values were read in samples, evaluations and markers whole"}))
		}
	}
	if run := j.ev.Run; run == nil || run.Loose {
		if !stderr {
			out = append(out, Note{Code: "stderr", Text: "nothing shows that standard error is in these files: driver messages may be missing", Do: "keep both streams (2>&1)"})
		}
		guards := "no run record: token ids, skipped steps and finiteness were not checked in the process"
		if run != nil {
			guards = "the run records stand alone: nothing shows whether every process wrote one, and wrote it whole"
		}
		out = append(out,
			Note{Code: "guards", Text: guards, Do: "trainvet run -- CMD"},
			Note{Code: "probe", Text: "no probe of the device", Do: "trainvet probe"})
	}
	if run := j.ev.Run; run != nil {
		for _, line := range run.Unseen {
			out = append(out, Note{Code: "unseen", Text: "before the run: " + line})
		}
		out = append(out, unheard(run)...)
		out = append(out, coverage(run)...)
	}
	for _, u := range j.ev.Unread {
		out = append(out, Note{Code: "unread", Text: u.Path + ": " + u.Why})
	}
	return out
}

// unheard says that nobody looked into the processes of a recorded run, and which
// of them should have had guards.
func unheard(run *evidence.Run) []Note {
	if run.Loose || len(run.Boots) > 0 {
		return nil
	}
	n := Note{Code: "no-guard", Text: "no guard spoke: token ids, skipped steps and finiteness were not checked in the process"}
	if len(run.Unheard) > 0 {
		n.Text += "; without guards ran " + strings.Join(run.Unheard, ", ")
		n.Do = "let Python find the guards: add to PYTHONPATH, do not replace it, and leave out -I, -E and -S"
	}
	return []Note{n}
}

// coverage says how many decodes of the sources that ran the guards met.
func coverage(run *evidence.Run) []Note {
	met := map[string]bool{}
	for _, s := range run.Met {
		met[s] = true
	}
	not := map[string]bool{}
	for _, s := range run.NotMet {
		if !met[s] {
			not[s] = true
		}
	}
	if len(not) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(not))
	text := fmt.Sprintf("guards met %d of %d decodes of the sources that ran; not reached: %s", len(met), len(met)+len(not), strings.Join(names[:min(len(names), maxNotMet)], ", "))
	if more := len(names) - maxNotMet; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return []Note{{Code: "coverage", Text: text}}
}

const maxNotMet = 5

// smallScale notes a loss scale below 1: some losses are summed and need one,
// so it proves nothing by itself.
func (j *judge) smallScale() []Note {
	least, at := math.Inf(1), ref{}
	for ti := range j.ev.Tracks {
		t := &j.ev.Tracks[ti]
		for ci := range t.Columns {
			if t.Columns[ci].Kind != evidence.KindScale {
				continue
			}
			for ri := range t.Rows {
				row := &t.Rows[ri]
				if ci < len(row.Cells) && row.Cells[ci].N > 0 && float64(row.Cells[ci].Min) < least {
					least, at = float64(row.Cells[ci].Min), ref{ti, ri}
				}
			}
		}
	}
	if least >= 1 || least <= 0 {
		return nil
	}
	return []Note{j.t.note("small-scale", vars{"scale": number(least), "how": where(j.track(at), j.row(at))}, j.lineRef(at))}
}

// backends notes a backend on which a clean log proves less than elsewhere.
func (j *judge) backends() []Note {
	for i := range j.ev.Decisions {
		d := &j.ev.Decisions[i]
		if d.Topic == "device" && strings.HasPrefix(strings.ToLower(d.Got), "mps") {
			return []Note{j.t.note("backend", vars{"backend": d.Got}, Ref{At: d.At, Text: d.Text})}
		}
	}
	return nil
}

// missingRanks names the ranks between the first and the last, or of the known
// world, that no source is of.
func (j *judge) missingRanks() []Note {
	var out []Note
	for _, name := range slices.Sorted(maps.Keys(j.groups)) {
		g := j.groups[name]
		world := 0
		for r := range g.ranks {
			world = max(world, r+1)
		}
		if j.ev.Run != nil {
			world = max(world, j.ev.Run.World)
		}
		var missing []int
		for r := range world {
			if !g.ranks[r] {
				missing = append(missing, r)
			}
		}
		if (len(g.ranks) > 1 || ranksMissing(j.ev.Run)) && len(missing) > 0 {
			how := fmt.Sprintf("%d of %d ranks have a source; none is of %s", len(g.ranks), world, rankList(missing))
			out = append(out, j.t.note("missing-ranks", vars{"how": how}))
		}
	}
	return out
}

// goesOn reports whether a training record follows a marker in its process.
func (j *judge) goesOn(m *evidence.Marker) bool {
	last, ok := j.lastTraining[proc{m.Last.Source, m.Last.Segment}]
	return ok && last > m.Last.Offset
}
