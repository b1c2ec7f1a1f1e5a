package verdict

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// printed is a log of three evaluations at offsets 100, 200 and 300, behind each of
// which the optimizer made some more steps.
func printed(counters []float64, clock string, steps []int64, f evidence.Finding) *evidence.Evidence {
	t := evidence.Track{Source: "log", Clock: clock, Columns: []evidence.Column{{Name: "val_acc", Printed: "val_acc", Kind: evidence.KindAccuracy, Role: evidence.Eval}}}
	l := evidence.StepLedger{Pid: 1, Optimizer: "SGD", Attempted: steps[len(steps)-1], Applied: steps[len(steps)-1]}
	for i, n := range steps {
		at := evidence.Pos{Source: "log", Offset: int64(100 * (i + 1)), Line: int64(i + 1)}
		row := evidence.Row{First: at, Last: at, N: 1, Cells: []evidence.Cell{{N: 1, First: 0.5, Last: 0.5, Min: 0.5, Max: 0.5, Text: "0.5"}}}
		if clock != "" {
			row.Step = evidence.Span{Has: true, First: evidence.Num(counters[i]), Last: evidence.Num(counters[i])}
		}
		t.Rows = append(t.Rows, row)
		l.Points = append(l.Points, evidence.StepPoint{At: evidence.Pos{Source: "records/1.jsonl", Offset: int64(10 * (i + 1))}, Sink: &evidence.Pos{Source: "log", Offset: at.Offset - 10}, Attempted: n, Applied: n})
	}
	f.Code, f.Class, f.Effect, f.Scope, f.Pid = "c", "quality", "poison", evidence.Process, 1
	return &evidence.Evidence{
		Sources: []evidence.Source{{ID: "log"}}, Tracks: []evidence.Track{t},
		Run: &evidence.Run{Loose: true, Steps: []evidence.StepLedger{l}, Findings: []evidence.Finding{f}},
	}
}

// What only the end shows holds from the step it names; a counter that optimizer
// steps outrun says nothing about them, and places do.
func TestFindingBySteps(t *testing.T) {
	first, eighth := 1.0, 8.0
	atEnd := evidence.Pos{Source: "records/1.jsonl", Offset: 90}
	end, early := &evidence.Pos{Source: "log", Offset: 400}, &evidence.Pos{Source: "log", Offset: 90}
	spoken := evidence.Pos{Source: "records/1.jsonl", Offset: 11}
	for name, tt := range map[string]struct {
		counters []float64
		clock    string
		steps    []int64
		finding  evidence.Finding
		want     Verdict
	}{
		"said at the end of all steps":                 {nil, "", []int64{8, 16, 24}, evidence.Finding{From: &first, At: atEnd, Sink: end}, Poisoned},
		"said at the end of what came before the last": {nil, "", []int64{8, 16, 24}, evidence.Finding{From: &eighth, At: atEnd, Sink: end}, Poisoned},
		"said at the end, of a step behind them":       {nil, "", []int64{1, 2, 3}, evidence.Finding{From: &eighth, At: atEnd, Sink: end}, Trusted},
		"an epoch in brackets, printed behind":         {[]float64{0, 1, 2}, "step", []int64{8, 16, 24}, evidence.Finding{From: &eighth, At: spoken, Sink: early}, Poisoned},
		"steps that are counted, before the fault":     {[]float64{1, 2, 3}, "step", []int64{1, 2, 3}, evidence.Finding{From: &eighth, At: spoken, Sink: early}, Trusted},
		"micro-steps run faster than the optimizer":    {[]float64{2, 4, 6}, "step", []int64{1, 2, 3}, evidence.Finding{From: &eighth, At: spoken, Sink: early}, Trusted},
	} {
		res, err := Judge(printed(tt.counters, tt.clock, tt.steps, tt.finding), DefaultConfig())
		require.NoError(t, err)
		require.Len(t, res.Claims, 1, name)
		require.Equal(t, tt.want, res.Claims[0].Verdict, "%s: %+v", name, res.Claims[0].Why)
	}
}

// A finding that stands in the log where it began to hold stays there, though the
// process made its step later: a norm that nobody had set when it was evaluated.
func TestFindingBeforeItsStep(t *testing.T) {
	at := evidence.Pos{Source: "records/1.jsonl", Offset: 90}
	for place, want := range map[int64]Verdict{90: Poisoned, 390: Trusted} {
		eighth := 8.0
		ev := printed(nil, "", []int64{1, 2, 3}, evidence.Finding{From: &eighth, At: at, Sink: &evidence.Pos{Source: "log", Offset: place}})
		l := &ev.Run.Steps[0]
		l.Attempted, l.Applied = 9, 9
		l.Points = append(l.Points, evidence.StepPoint{At: evidence.Pos{Source: "records/1.jsonl", Offset: 40}, Sink: &evidence.Pos{Source: "log", Offset: 380}, Attempted: 9, Applied: 9})
		res, err := Judge(ev, DefaultConfig())
		require.NoError(t, err)
		require.Equal(t, want, res.Claims[0].Verdict, "at %d: %+v", place, res.Claims[0].Why)
	}
}
