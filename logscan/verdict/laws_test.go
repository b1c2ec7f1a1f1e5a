package verdict_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// The oracle of this file shares no code with the engine. It knows a timeline
// by its constraints alone, enumerates every order that they allow, and says
// POISONED where the fault comes first in all of them, TRUSTED where it comes
// first in none, UNPROVEN otherwise.

const second = int64(1e9)

// happening is one value or fault of a timeline.
type happening struct {
	fault  bool
	source int
	offset int64
	time   int64 // 0: no stamp
	step   int   // 0: none
}

// timeline is a run of which only some of the true order can be seen.
type timeline struct {
	flush  [2]bool // the source's writer flushes by line
	events []happening
}

// newTimeline draws a true order and then shows it as logs do: late where a
// buffer holds it, with or without stamps and steps.
func newTimeline(r *rand.Rand) timeline {
	var tl timeline
	stamps, steps := [2]bool{r.IntN(2) == 0, r.IntN(2) == 0}, [2]bool{r.IntN(2) == 0, r.IntN(2) == 0}
	tl.flush = [2]bool{r.IntN(2) == 0, r.IntN(2) == 0}
	now, step := int64(1_700_000_000)*second, 0
	faults := 1 + r.IntN(2)
	for range 3 + r.IntN(3) {
		now += r.Int64N(5) * second
		h := happening{source: r.IntN(2)}
		if faults > 0 && r.IntN(3) == 0 {
			h.fault = true
			faults--
		} else {
			if n := len(tl.events); n == 0 || tl.events[n-1].fault || tl.events[n-1].source == h.source || r.IntN(2) == 0 {
				step++ // else both sources write of the same step
			}
			if steps[h.source] {
				h.step = step
			}
		}
		if stamps[h.source] && (r.IntN(5) > 0) {
			h.time = now
		}
		tl.events = append(tl.events, h)
	}
	tl.print(r)
	return tl
}

// print gives every event its place in its source: faults at once, values of a
// writer that does not flush later, in their order.
func (tl *timeline) print(r *rand.Rand) {
	var end [2]int64
	var held [2][]int
	write := func(i int) {
		s := tl.events[i].source
		tl.events[i].offset = end[s]
		end[s] += 100
		if r.IntN(12) == 0 { // much else is printed in between: no buffer holds on
			for _, k := range held[s] {
				tl.events[k].offset = end[s]
				end[s] += 100
			}
			held[s] = nil
			end[s] += 200 << 10
		}
	}
	for i := range tl.events {
		s := tl.events[i].source
		if !tl.events[i].fault && !tl.flush[s] && r.IntN(2) == 0 {
			held[s] = append(held[s], i)
			continue
		}
		if !tl.events[i].fault {
			for len(held[s]) > 0 {
				k := held[s][0]
				held[s] = held[s][1:]
				write(k)
			}
		}
		write(i)
	}
	for s := range held {
		for len(held[s]) > 0 {
			k := held[s][0]
			held[s] = held[s][1:]
			write(k)
		}
	}
}

// before says whether it is proven that event a comes before event b.
func (tl *timeline) before(a, b int) bool {
	x, y := tl.events[a], tl.events[b]
	switch {
	case !x.fault && !y.fault:
		return x.source == y.source && x.offset < y.offset || x.step > 0 && y.step > 0 && x.step < y.step
	case x.fault && y.fault:
		return false
	case x.source != y.source:
		return x.time != 0 && y.time != 0 && x.time+2*second < y.time
	case y.fault:
		return x.offset < y.offset
	}
	return x.offset < y.offset && (tl.flush[x.source] || y.offset-x.offset > 128<<10 ||
		x.time != 0 && y.time != 0 && y.time > x.time+second)
}

// together says whether two values were computed at the same moment: both
// measure the same (all values here do), and each is its source's only one of
// that step. Of several values of a step any may be the one that a fault splits.
func (tl *timeline) together(a, b int) bool {
	x, y := tl.events[a], tl.events[b]
	return !x.fault && !y.fault && x.step > 0 && x.step == y.step && tl.only(a) && tl.only(b)
}

func (tl *timeline) only(a int) bool {
	for i, h := range tl.events {
		if i != a && !h.fault && h.source == tl.events[a].source && h.step == tl.events[a].step {
			return false
		}
	}
	return true
}

// orders calls visit with the rank of every event in every allowed order;
// values of one step have one rank.
func (tl *timeline) orders(visit func(rank []int)) {
	n := len(tl.events)
	class := make([]int, n)
	classes := 0
	for i := range class {
		class[i] = -1
		for k := range i {
			if tl.together(k, i) {
				class[i] = class[k]
			}
		}
		if class[i] < 0 {
			class[i] = classes
			classes++
		}
	}
	perm := make([]int, classes)
	used := make([]bool, classes)
	var place func(int)
	place = func(at int) {
		if at == classes {
			rank := make([]int, n)
			for i := range rank {
				rank[i] = perm[class[i]]
			}
			for a := range n {
				for b := range n {
					if tl.before(a, b) && rank[a] > rank[b] {
						return
					}
				}
			}
			visit(rank)
			return
		}
		for v := range classes {
			if !used[v] {
				used[v], perm[at] = true, v
				place(at + 1)
				used[v] = false
			}
		}
	}
	place(0)
}

// expected is the oracle's verdict for every value: fault by fault, since one
// fault must never prove anything good about another.
func (tl *timeline) expected() map[int]verdict.Verdict {
	out := map[int]verdict.Verdict{}
	for m := range tl.events {
		if !tl.events[m].fault {
			out[m] = verdict.Trusted
		}
	}
	for f := range tl.events {
		if tl.events[f].fault {
			tl.judgeBy(f, out)
		}
	}
	return out
}

func (tl *timeline) judgeBy(f int, out map[int]verdict.Verdict) {
	alone := timeline{flush: tl.flush}
	index, at := []int{}, 0
	for i, h := range tl.events {
		if i == f {
			at = len(alone.events)
		}
		if i == f || !h.fault {
			alone.events, index = append(alone.events, h), append(index, i)
		}
	}
	first, total := make([]int, len(index)), 0
	alone.orders(func(rank []int) {
		total++
		for m := range rank {
			if rank[at] < rank[m] {
				first[m]++
			}
		}
	})
	if total == 0 {
		panic("a timeline that no order allows")
	}
	for m, n := range first {
		switch {
		case m == at || n == 0:
		case n == total:
			out[index[m]] = verdict.Poisoned
		default:
			out[index[m]] = max(out[index[m]], verdict.Unproven)
		}
	}
}

// evidence writes the timeline as a scan would.
func (tl *timeline) evidence() *evidence.Evidence {
	ev := &evidence.Evidence{Version: evidence.Version}
	for s := range 2 {
		id := fmt.Sprintf("source-%d", s)
		src := evidence.Source{
			ID: id, Kind: "console", Group: "job", Host: "h", FlushShown: tl.flush[s],
			Clock: evidence.Clock{Kind: "wall", Zone: true, Resolution: second},
		}
		t := evidence.Track{Source: id, Format: "kv", Columns: []evidence.Column{
			{Name: "value", Printed: "value", Role: evidence.Eval, Kind: evidence.KindAccuracy, Window: evidence.Instant},
		}}
		for i, h := range tl.events {
			if h.source != s {
				continue
			}
			pos := evidence.Pos{Source: id, Offset: h.offset, Line: int64(i + 1), Time: h.time}
			if h.fault {
				ev.Markers = append(ev.Markers, evidence.Marker{
					ID: fmt.Sprintf("fault-%d", i), Class: evidence.Fault, Scope: evidence.Process, Goes: evidence.Stops,
					First: pos, Last: pos, Count: 1, Text: "fault",
				})
				continue
			}
			v := evidence.Num(i)
			row := evidence.Row{First: pos, Last: pos, N: 1, Cells: []evidence.Cell{{N: 1, First: v, Last: v, Min: v, Max: v, Text: fmt.Sprint(i)}}}
			if h.step > 0 {
				t.Clock = "step"
				row.Step = evidence.Span{Has: true, First: evidence.Num(h.step), Last: evidence.Num(h.step)}
			}
			t.Rows = append(t.Rows, row)
		}
		ev.Sources = append(ev.Sources, src)
		ev.Tracks = append(ev.Tracks, t)
	}
	return ev
}

func judgeAll(t *testing.T, ev *evidence.Evidence) *verdict.Result {
	t.Helper()
	cfg := verdict.DefaultConfig()
	cfg.All = true
	res, err := verdict.Judge(ev, cfg)
	require.NoError(t, err)
	return res
}

// byValue indexes the judged values by the number that each carries.
func byValue(res *verdict.Result) map[int]verdict.Subject {
	out := map[int]verdict.Subject{}
	for _, v := range res.Values {
		out[int(v.Value)] = v
	}
	return out
}

func TestVerdictIsTheOraclesOnTimelines(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	counts := map[verdict.Verdict]int{}
	for n := range 12_000 {
		tl := newTimeline(r)
		got := byValue(judgeAll(t, tl.evidence()))
		for m, want := range tl.expected() {
			counts[want]++
			if got[m].Verdict != want {
				t.Fatalf("timeline %d: value %d is %v, the oracle says %v (%v)\n%+v", n, m, got[m].Verdict, want, got[m].Why, tl)
			}
		}
	}
	for _, v := range []verdict.Verdict{verdict.Trusted, verdict.Unproven, verdict.Poisoned} {
		require.Greater(t, counts[v], 1000, "the timelines must reach every verdict: %v", counts)
	}
}

func TestAddingAFaultNeverMakesAVerdictBetter(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 5_000 {
		tl := newTimeline(r)
		ev := tl.evidence()
		before := byValue(judgeAll(t, ev))
		at := evidence.Pos{Source: fmt.Sprintf("source-%d", r.IntN(2)), Offset: r.Int64N(600)*1000 + 50, Time: (1_700_000_000 + r.Int64N(20)) * second}
		scopes := []evidence.Scope{evidence.Process, evidence.Device, evidence.Node, evidence.Job}
		ev.Markers = append(ev.Markers, evidence.Marker{
			ID: "added", Class: evidence.Fault, Scope: scopes[r.IntN(4)], Goes: []evidence.Continues{evidence.GoesOn, evidence.Stops}[r.IntN(2)],
			First: at, Last: at, Count: 1,
		})
		for m, after := range byValue(judgeAll(t, ev)) {
			if after.Verdict < before[m].Verdict {
				t.Fatalf("value %d was %v and is %v with one fault more\n%+v\nadded at %+v", m, before[m].Verdict, after.Verdict, tl, at)
			}
		}
	}
}
