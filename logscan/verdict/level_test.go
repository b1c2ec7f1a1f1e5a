package verdict

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// TestGuardsAreRequiredWhereTheyHadSomethingToSee: a Python process that trained
// must have been looked at; one that did not load PyTorch, or was killed, has
// nothing that it could miss.
func TestGuardsAreRequiredWhereTheyHadSomethingToSee(t *testing.T) {
	t.Parallel()
	live := []string{"decode", "finite", "steps"}
	trainer := evidence.Boot{Lang: "python", Ended: true, Live: live, Checks: []string{"decode", "finite", "steps"}}
	change := func(b evidence.Boot, do func(*evidence.Boot)) evidence.Boot {
		do(&b)
		return b
	}
	blind := change(trainer, func(b *evidence.Boot) { b.Checks = []string{"steps"} })
	reader := evidence.Boot{Lang: "python", Ended: true}
	helper := evidence.Boot{Lang: "python", Ended: true, Live: live}
	second := change(trainer, func(b *evidence.Boot) { b.Checks = []string{"finite", "steps"} }) // rank 0 evaluates
	tests := map[string]struct {
		metric string
		world  int
		boots  []evidence.Boot
		want   Verdict
		level  Level
	}{
		"all checks ran":                     {"eval_wer", 0, []evidence.Boot{trainer}, Trusted, Guarded},
		"no PyTorch":                         {"eval_wer", 0, []evidence.Boot{reader}, Trusted, Captured},
		"PyTorch that trains nothing":        {"eval_wer", 0, []evidence.Boot{helper}, Trusted, Captured},
		"beside a launcher":                  {"eval_wer", 0, []evidence.Boot{helper, trainer}, Trusted, Guarded},
		"one rank evaluates":                 {"eval_wer", 2, []evidence.Boot{trainer, second}, Trusted, Guarded},
		"a rank is missing":                  {"eval_wer", 2, []evidence.Boot{trainer}, Unproven, Captured},
		"no look at anything finite":         {"val_accuracy", 0, []evidence.Boot{blind}, Unproven, Captured},
		"an error of a hook":                 {"val_accuracy", 0, []evidence.Boot{change(trainer, func(b *evidence.Boot) { b.Errors = 1 })}, Unproven, Captured},
		"records are missing":                {"val_accuracy", 0, []evidence.Boot{change(trainer, func(b *evidence.Boot) { b.Gap = true })}, Unproven, Captured},
		"records of a reader are missing":    {"val_accuracy", 0, []evidence.Boot{change(reader, func(b *evidence.Boot) { b.Gap = true })}, Trusted, Captured},
		"killed":                             {"val_accuracy", 0, []evidence.Boot{change(trainer, func(b *evidence.Boot) { b.Ended = false })}, Trusted, Captured},
		"text without a look at ids":         {"eval_wer", 0, []evidence.Boot{second}, Unproven, Captured},
		"an error rate that is of no text":   {"eval_rmse", 0, []evidence.Boot{second}, Trusted, Guarded},
		"text that no library made of ids":   {"eval_wer", 0, []evidence.Boot{change(second, func(b *evidence.Boot) { b.Live = []string{"finite", "steps"} })}, Trusted, Guarded},
		"a score of text without a look":     {"eval_rougeL", 0, []evidence.Boot{second}, Unproven, Captured},
		"the training loss of a blind guard": {"loss", 0, []evidence.Boot{blind}, Trusted, Guarded},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			column := evidence.Column{Name: tt.metric, Role: evidence.Final, Kind: evidence.KindError}
			if tt.metric == "loss" {
				column.Role, column.Kind = evidence.Series, evidence.KindLoss
			}
			at := evidence.Pos{Source: "log", Line: 1}
			ev := evidence.Evidence{
				Sources: []evidence.Source{{ID: "log", Group: "log", Capture: &evidence.Capture{Sealed: true, OneOrder: true, ExitKnown: true}}},
				Tracks: []evidence.Track{{
					Source: "log", Format: "kv", Columns: []evidence.Column{column},
					Rows: []evidence.Row{{First: at, Last: at, N: 1, Cells: []evidence.Cell{{N: 1, First: 1.5, Last: 1.5, Min: 1.5, Max: 1.5, Text: "1.5"}}}},
				}},
				Run: &evidence.Run{Manifest: true, Trailer: true, Sealed: true, Ending: "exit", World: tt.world, Boots: tt.boots},
			}
			res, err := Judge(&ev, DefaultConfig())
			require.NoError(t, err)
			require.Len(t, res.Claims, 1)
			require.Equal(t, tt.want, res.Claims[0].Verdict, "%+v", res.Claims[0].Why)
			require.Equal(t, tt.level, res.Claims[0].Level)
		})
	}
}

func TestMetricsOfText(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"eval_wer": true, "rouge1": true, "rougeL": true, "sacrebleu_score": true, "test_CER": true, "chrf++": true,
		"eval_loss": false, "rmse": false, "power": false, "answer_acc": false, "perplexity": false, "meter": false,
	} {
		require.Equal(t, want, ofText(name), name)
	}
}
