package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// place is one cell.
type place struct {
	ref
	col int
}

// claims are the values that someone would quote: the last value of each
// evaluation metric and of everything labelled best, final, test or summary;
// where there is none, the last value of each training loss, and of the return
// in reinforcement learning, or of the training score where no loss is printed;
// and what the user requires.
func (j *judge) claims() []Subject {
	last := j.lastOf(func(c *evidence.Column) bool { return c.Role == evidence.Eval || c.Role == evidence.Final })
	if len(last) == 0 {
		last = j.lastOf(seriesOf(evidence.KindLoss, evidence.KindReward))
	}
	if len(last) == 0 {
		last = j.lastOf(seriesOf(evidence.KindError, evidence.KindAccuracy))
	}
	if len(j.cfg.Require) > 0 {
		for k, v := range j.lastOf(func(c *evidence.Column) bool { return matches(j.cfg.Require, c.Name) }) {
			last[k] = v
		}
	}
	var out []Subject
	for _, key := range sortedKeys(last) {
		out = append(out, j.fold(last[key])...)
	}
	out = append(out, j.requiredMissing(last)...)
	slices.SortStableFunc(out, func(a, b Subject) int {
		return cmp.Or(cmp.Compare(b.Verdict, a.Verdict), cmp.Compare(a.Name, b.Name))
	})
	return out
}

func seriesOf(kinds ...evidence.Kind) func(*evidence.Column) bool {
	return func(c *evidence.Column) bool { return c.Role == evidence.Series && slices.Contains(kinds, c.Kind) }
}

// requiredMissing makes a claim of each required pattern that no metric has: a
// value that was asked for and is not there cannot be believed.
func (j *judge) requiredMissing(last map[metricKey][]place) []Subject {
	var out []Subject
	for _, pattern := range j.cfg.Require {
		found := false
		for key := range last {
			found = found || glob(pattern, key.name)
		}
		if !found {
			out = append(out, Subject{
				Kind: "metric", Name: pattern, Text: "(not found)", Verdict: Unproven, Level: Log,
				Why: []Reason{j.t.reason("required-missing", vars{"pattern": pattern})},
			})
		}
	}
	return out
}

// metricKey tells metrics of different jobs apart.
type metricKey struct{ group, name, split string }

// lastOf finds the last value of each chosen metric in each source.
func (j *judge) lastOf(choose func(*evidence.Column) bool) map[metricKey][]place {
	out, last := map[metricKey][]place{}, map[lastKey]place{}
	for ti := range j.ev.Tracks {
		tracks := j.near.tracks[j.ev.Tracks[ti].Source]
		if tracks[0] != ti {
			continue // its source was looked at
		}
		for _, ti := range tracks {
			j.lastInTable(ti, choose, last)
		}
		for key, p := range last {
			out[key.metricKey] = append(out[key.metricKey], p)
			delete(last, key) // for the next source
		}
	}
	for _, places := range out {
		slices.SortFunc(places, func(a, b place) int {
			ta, tb := j.track(a.ref), j.track(b.ref)
			return cmp.Or(cmp.Compare(ta.Source, tb.Source), cmp.Compare(rankOrNone(ta.Rank), rankOrNone(tb.Rank)), cmp.Compare(a.track, b.track))
		})
	}
	return out
}

// lastKey tells the last values of one source apart.
type lastKey struct {
	metricKey
	rank    int
	printer string
	caller  string // empty: printed, or kept in a file
}

func (j *judge) lastInTable(ti int, choose func(*evidence.Column) bool, last map[lastKey]place) {
	t := &j.ev.Tracks[ti]
	if strings.HasPrefix(t.Format, evidence.SkipFormat) {
		return // counted, not quoted
	}
	for ci := range t.Columns {
		if !choose(&t.Columns[ci]) {
			continue
		}
		key := lastKey{metricKey{j.source(t.Source).Group, t.Columns[ci].Name, t.Columns[ci].Split}, rankOrNone(t.Rank), t.Printer, ""}
		if evidence.Called(t) {
			key.caller = t.Format
		}
		if p, ok := j.lastIn(ti, ci); ok {
			if old, has := last[key]; !has || j.row(p.ref).Last.Offset > j.row(old.ref).Last.Offset {
				last[key] = p
			}
		}
	}
}

// rankAt is the rank that holds a value; -1: none is named.
func (j *judge) rankAt(p place) int { return rankOrNone(j.rank(j.track(p.ref))) }

func rankOrNone(rank *int) int {
	if rank == nil {
		return -1
	}
	return *rank
}

// rank is the rank of a table, as its lines or its file name it.
func (j *judge) rank(t *evidence.Track) *int {
	if t.Rank != nil {
		return t.Rank
	}
	return j.source(t.Source).Rank
}

// lastIn is the last value of a column that is no placeholder.
func (j *judge) lastIn(ti, ci int) (place, bool) {
	t := &j.ev.Tracks[ti]
	for ri := len(t.Rows) - 1; ri >= 0; ri-- {
		row := &t.Rows[ri]
		if ci >= len(row.Cells) || row.Cells[ci].N == 0 {
			continue
		}
		if row.Note&evidence.NotePlaceholder != 0 && !row.Cells[ci].Last.Finite() {
			continue
		}
		return place{ref{ti, ri}, ci}, true
	}
	return place{}, false
}

func sortedKeys[V any](m map[metricKey]V) []metricKey {
	keys := make([]metricKey, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b metricKey) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.name, b.name), cmp.Compare(a.split, b.split))
	})
	return keys
}

// fold turns the last values that several sources hold of one metric into one
// row per verdict: ranks are folded, witnesses of one process share their proof.
func (j *judge) fold(places []place) []Subject {
	subjects := make([]Subject, len(places))
	for i, p := range places {
		subjects[i] = j.subject(p)
	}
	j.shareProof(places, subjects)
	places, subjects = j.joinCalled(places, subjects)
	byVerdict := map[Verdict][]int{}
	for i := range subjects {
		byVerdict[subjects[i].Verdict] = append(byVerdict[subjects[i].Verdict], i)
	}
	var out []Subject
	for _, v := range []Verdict{Poisoned, Unproven, Degraded, Trusted} {
		if ids := byVerdict[v]; len(ids) > 0 {
			out = append(out, j.oneOf(places, subjects, ids))
		}
	}
	return out
}

// oneOf shows the furthest of several subjects with one verdict, of equals that
// of the lowest rank.
func (j *judge) oneOf(places []place, subjects []Subject, ids []int) Subject {
	slices.SortStableFunc(ids, func(a, b int) int { return cmp.Compare(j.rankAt(places[a]), j.rankAt(places[b])) })
	best := ids[0]
	var ranks []int
	for _, i := range ids {
		if further(subjects[i], subjects[best]) {
			best = i
		}
		if r := j.rankAt(places[i]); r >= 0 {
			ranks = append(ranks, r)
		}
	}
	s := subjects[best]
	if text := j.otherRanks(places, ids, best); text != "" {
		s.Remarks = append(s.Remarks, text)
	}
	if len(ranks) > 1 || (len(ranks) == 1 && len(places) > 1) {
		s.Ranks = rankList(ranks)
	}
	return s
}

func further(a, b Subject) bool {
	switch {
	case a.Step.Has && b.Step.Has && a.Step.Last != b.Step.Last:
		return a.Step.Last > b.Step.Last
	case a.Epoch.Has && b.Epoch.Has && a.Epoch.Last != b.Epoch.Last:
		return a.Epoch.Last > b.Epoch.Last
	}
	return len(a.Text) > len(b.Text)
}

// rankList writes ranks as ranges: 0-3,7.
func rankList(ranks []int) string {
	slices.Sort(ranks)
	ranks = slices.Compact(ranks)
	var b strings.Builder
	for i := 0; i < len(ranks); {
		k := i
		for k+1 < len(ranks) && ranks[k+1] == ranks[k]+1 {
			k++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(ranks[i]))
		if k > i {
			b.WriteString("-" + strconv.Itoa(ranks[k]))
		}
		i = k + 1
	}
	return b.String()
}

// subject is a cell as the report shows it.
func (j *judge) subject(p place) Subject {
	t, row := j.track(p.ref), j.row(p.ref)
	col, cell := &t.Columns[p.col], &row.Cells[p.col]
	c := j.cells[p.track][p.ref.row][p.col]
	s := Subject{
		Kind: "metric", Name: col.Name, Printed: col.Printed, Split: col.Split, Value: cell.Last, Text: cell.Text,
		Verdict: c.verdict, Level: j.level(t.Source, col), Why: c.why,
		At: row.Last, Step: row.Step, Epoch: row.Epoch, Role: col.Role, Samples: cell.Samples,
	}
	if s.At.Source == "" {
		s.At = row.First
	}
	if row.Said != nil {
		s.At, s.Caller = row.Said.At, row.Said.Where
	}
	if cell.Samples != nil && *cell.Samples > 0 {
		s.Sample = fmt.Sprintf("1/%d = %.3g", *cell.Samples, 1/float64(*cell.Samples))
	}
	s.NoApplied = slices.ContainsFunc(c.why, func(w Reason) bool { return w.NoApplied })
	j.applyLevel(&s)
	return s
}

// shareProof: a value that stands in two sources of one process is one value.
// Where one source proves that it came before a fault, the other need not.
func (j *judge) shareProof(places []place, subjects []Subject) {
	for i := range subjects {
		if subjects[i].Verdict != Unproven || !onlyOrder(subjects[i].Why) {
			continue
		}
		for k := range subjects {
			if k != i && subjects[k].Verdict <= Degraded && j.sameValue(places[i], places[k]) {
				subjects[i].Verdict, subjects[i].Why = subjects[k].Verdict, subjects[k].Why
				break
			}
		}
	}
}

func onlyOrder(why []Reason) bool {
	for _, w := range why {
		if w.Verdict == Unproven && w.Code != "order-unproven" {
			return false
		}
	}
	return true
}

func (j *judge) sameValue(a, b place) bool {
	sa, sb := j.source(j.track(a.ref).Source), j.source(j.track(b.ref).Source)
	if !sameRank(sa.Rank, sb.Rank) {
		return false
	}
	if j.called(a) != j.called(b) {
		called, printed := a, b
		if j.called(b) {
			called, printed = b, a
		}
		return j.witnesses(called, printed) && j.oneValue(called, printed) && j.sameMoment(called, printed)
	}
	ra, rb := j.row(a.ref), j.row(b.ref)
	return sameClock(ra, rb) && evidence.Agree(&ra.Cells[a.col], &rb.Cells[b.col])
}

func sameClock(a, b *evidence.Row) bool {
	switch {
	case a.Step.Has && b.Step.Has:
		return a.Step.Last == b.Step.Last
	case a.Epoch.Has && b.Epoch.Has:
		return sameEpoch(a, b)
	}
	return false
}
