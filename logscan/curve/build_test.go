package curve

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// runOf builds evidence as a reader would: a track of training records and a
// track of evaluations in one source.
type runOf struct {
	*rand.Rand
	n      int // training records
	epochs float64
	train  evidence.Track
	eval   evidence.Track
}

func newRun(seed uint64, n int) *runOf {
	return &runOf{Rand: rand.New(rand.NewPCG(seed, 99)), n: n, epochs: 3,
		train: evidence.Track{Source: "run.log"}, eval: evidence.Track{Source: "run.log"}}
}

// shape gives a value at t in [0, 1), the i-th of its curve.
type shape func(i int, t float64) float64

func (b *runOf) add(tr *evidence.Track, n int, name string, role evidence.Role, kind evidence.Kind, format string, f shape) *runOf {
	split := ""
	if role == evidence.Eval {
		split = "val"
	}
	tr.Columns = append(tr.Columns, evidence.Column{Name: name, Printed: name, Role: role, Kind: kind, Split: split})
	for i := range n {
		if i >= len(tr.Rows) {
			step := 10 * (i + 1) * b.n / n
			at := evidence.Pos{Source: "run.log", Line: int64(step), Offset: int64(step * 100)}
			epoch := evidence.Num(b.epochs * float64(i+1) / float64(n))
			tr.Rows = append(tr.Rows, evidence.Row{First: at, Last: at, N: 1,
				Step:  evidence.Span{Has: true, First: evidence.Num(step), Last: evidence.Num(step)},
				Epoch: evidence.Span{Has: true, First: epoch, Last: epoch}})
		}
		text := fmt.Sprintf(format, f(i, float64(i)/float64(n)))
		var v float64
		fmt.Sscan(text, &v)
		c := evidence.Cell{N: 1, First: evidence.Num(v), Last: evidence.Num(v), Min: evidence.Num(v), Max: evidence.Num(v), Text: text}
		tr.Rows[i].Cells = append(tr.Rows[i].Cells, c)
	}
	return b
}

func (b *runOf) loss(f shape) *runOf { return b.series("loss", evidence.KindLoss, f) }

func (b *runOf) series(name string, kind evidence.Kind, f shape) *runOf {
	role := evidence.Series
	switch kind {
	case evidence.KindNorm, evidence.KindRate:
		role = evidence.Diagnostic
	case evidence.KindStepTime, evidence.KindSpeed:
		role = evidence.Speed
	}
	return b.add(&b.train, b.n, name, role, kind, "%.6g", f)
}

func (b *runOf) evals(n int, name string, kind evidence.Kind, f shape) *runOf {
	return b.add(&b.eval, n, name, evidence.Eval, kind, "%.5g", f)
}

// of n samples each
func (b *runOf) samples(n int64) *runOf {
	for i := range b.eval.Rows {
		for j := range b.eval.Rows[i].Cells {
			b.eval.Rows[i].Cells[j].Samples = &n
		}
	}
	return b
}

func (b *runOf) evidence() *evidence.Evidence {
	ev := &evidence.Evidence{Version: evidence.Version, Sources: []evidence.Source{{ID: "run.log"}}}
	for _, t := range []evidence.Track{b.train, b.eval} {
		if len(t.Rows) > 0 {
			ev.Tracks = append(ev.Tracks, t)
		}
	}
	return ev
}

// merged joins rows of every track k by k, as a full table does.
func merged(ev *evidence.Evidence, k int) *evidence.Evidence {
	out := *ev
	out.Tracks = nil
	for _, t := range ev.Tracks {
		rows := t.Rows
		t.Rows = nil
		for i := 0; i < len(rows); i += k {
			t.Rows = append(t.Rows, mergeRows(rows[i:min(len(rows), i+k)]))
		}
		out.Tracks = append(out.Tracks, t)
	}
	return &out
}

func mergeRows(rows []evidence.Row) evidence.Row {
	m := rows[0]
	m.Cells = append([]evidence.Cell(nil), m.Cells...)
	for _, r := range rows[1:] {
		m.Last, m.N, m.Step.Last, m.Epoch.Last = r.Last, m.N+r.N, r.Step.Last, r.Epoch.Last
		for i := range m.Cells {
			c, d := &m.Cells[i], r.Cells[i]
			c.N, c.Last, c.Text = c.N+d.N, d.Last, d.Text
			c.Min, c.Max = min(c.Min, d.Min), max(c.Max, d.Max)
		}
	}
	return m
}

// The curves of training.

func falling(from, to, rate float64) func(t float64) float64 {
	return func(t float64) float64 { return to + (from-to)*math.Exp(-rate*t) }
}

// noisy multiplies by log-normal noise.
func (b *runOf) noisy(sigma float64, f func(t float64) float64) shape {
	return func(_ int, t float64) float64 { return f(t) * math.Exp(sigma*b.NormFloat64()) }
}

// about adds normal noise.
func (b *runOf) about(sigma float64, f func(t float64) float64) shape {
	return func(_ int, t float64) float64 { return f(t) + sigma*b.NormFloat64() }
}

func level(v float64) func(float64) float64 { return func(float64) float64 { return v } }

// growing saturates from one level to another.
func growing(from, to, rate float64) func(t float64) float64 { return falling(from, to, rate) }

// kofn rounds a share to k of n, with its sampling noise.
func (b *runOf) kofn(n int, f func(t float64) float64) shape {
	return func(_ int, t float64) float64 {
		k, p := 0, math.Min(1, math.Max(0, f(t)))
		for range n {
			if b.Float64() < p {
				k++
			}
		}
		return float64(k) / float64(n)
	}
}
