package verdict

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// manyRanks is a job with a log for each rank, and a fault in every so many.
func manyRanks(ranks, each int) *evidence.Evidence {
	ev := &evidence.Evidence{}
	for rank := range ranks {
		id := fmt.Sprintf("rank_%05d.log", rank)
		ev.Sources = append(ev.Sources, evidence.Source{ID: id, Kind: "console", Group: "job", Rank: &rank, Bytes: 2000, Lines: 16})
		t := evidence.Track{Source: id, Format: "kv", Clock: "step", Columns: []evidence.Column{
			{Name: "loss", Printed: "loss", Role: evidence.Series, Kind: evidence.KindLoss},
			{Name: "grad_norm", Printed: "grad_norm", Role: evidence.Diagnostic, Kind: evidence.KindNorm},
		}}
		for i := range 16 {
			at := evidence.Pos{Source: id, Offset: int64(100 * i), Line: int64(i + 1)}
			v := evidence.Num(1 + float64(i%3)/10)
			cell := evidence.Cell{N: 1, First: v, Last: v, Min: v, Max: v, Text: "1.1"}
			step := evidence.Num(10 * i)
			t.Rows = append(t.Rows, evidence.Row{
				First: at, Last: at, N: 1, Step: evidence.Span{Has: true, First: step, Last: step}, Cells: []evidence.Cell{cell, cell},
			})
		}
		ev.Tracks = append(ev.Tracks, t)
		if each > 0 && rank%each == 0 {
			at := evidence.Pos{Source: id, Offset: 850, Line: 9}
			ev.Markers = append(ev.Markers, evidence.Marker{
				ID: "cuda-dsa", Class: evidence.Fault, Scope: evidence.Process, Goes: evidence.GoesOn, First: at, Last: at, Count: 1,
			})
		}
	}
	m := evidence.Merge(*ev)
	return &m
}

func BenchmarkJudge(b *testing.B) {
	for _, bench := range []struct {
		name        string
		ranks, each int
	}{{"10000 healthy", 10_000, 0}, {"10000 with 100 faults", 10_000, 100}, {"1000 with a fault each", 1000, 1}} {
		ev := manyRanks(bench.ranks, bench.each)
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				_, err := Judge(ev, DefaultConfig())
				require.NoError(b, err)
			}
		})
	}
}
