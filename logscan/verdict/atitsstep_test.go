package verdict

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// An evaluation prints its loss, and then decodes and meets a fault, all at one
// step: the loss stands. What is not finite was so when the loss was computed.
func TestValuesBeforeAFaultOfTheirStepStand(t *testing.T) {
	t.Parallel()
	step := 20.0
	for name, tt := range map[string]struct {
		class string
		sink  *evidence.Pos
		step  float64
		want  Verdict
	}{
		"printed before the fault":                        {"fault", &evidence.Pos{Source: "log", Offset: 100}, 20, Trusted},
		"printed behind it":                               {"fault", &evidence.Pos{Source: "log", Offset: 10}, 20, Poisoned},
		"nobody knows":                                    {"fault", nil, 20, Poisoned},
		"the step before":                                 {"fault", nil, 19, Trusted},
		"a later step, printed before":                    {"fault", &evidence.Pos{Source: "log", Offset: 100}, 21, Poisoned},
		"parameters that are not finite, found behind it": {"quality", &evidence.Pos{Source: "log", Offset: 100}, 20, Poisoned},
	} {
		at := evidence.Pos{Source: "log", Offset: 40, Line: 2}
		ev := &evidence.Evidence{
			Sources: []evidence.Source{{ID: "log"}},
			Tracks: []evidence.Track{{Source: "log", Clock: "step", Columns: []evidence.Column{{Name: "eval_loss", Printed: "eval_loss", Kind: evidence.KindLoss, Role: evidence.Eval}},
				Rows: []evidence.Row{{First: at, Last: at, N: 1, Step: evidence.Span{Has: true, First: evidence.Num(tt.step), Last: evidence.Num(tt.step)},
					Cells: []evidence.Cell{{N: 1, First: 0.5, Last: 0.5, Min: 0.5, Max: 0.5, Text: "0.5"}}}}}},
			Run: &evidence.Run{Loose: true, Findings: []evidence.Finding{{Code: "c", Class: tt.class, Effect: "poison", Scope: evidence.Process, From: &step,
				At: evidence.Pos{Source: "records/1.jsonl", Offset: 7}, Sink: tt.sink}}},
		}
		res, err := Judge(ev, DefaultConfig())
		require.NoError(t, err)
		require.Len(t, res.Claims, 1, name)
		require.Equal(t, tt.want, res.Claims[0].Verdict, "%s: %+v", name, res.Claims[0].Why)
	}
}
