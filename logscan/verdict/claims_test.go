package verdict

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
)

func TestClaimsOfARunWithoutEvaluation(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		kinds map[string]evidence.Kind
		want  []string
	}{
		"losses":               {map[string]evidence.Kind{"loss": evidence.KindLoss, "acc": evidence.KindAccuracy}, []string{"loss"}},
		"reinforcement":        {map[string]evidence.Kind{"value_loss": evidence.KindLoss, "ep_rew_mean": evidence.KindReward}, []string{"ep_rew_mean", "value_loss"}},
		"returns alone":        {map[string]evidence.Kind{"train/return": evidence.KindReward}, []string{"train/return"}},
		"a training score":     {map[string]evidence.Kind{"rmse": evidence.KindError}, []string{"rmse"}},
		"nothing that is said": {map[string]evidence.Kind{"lr": evidence.KindRate}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ev := evidence.Evidence{Sources: []evidence.Source{{ID: "log", Group: "log"}}}
			track := evidence.Track{Source: "log", Format: "kv"}
			row := evidence.Row{First: evidence.Pos{Source: "log", Line: 1}, Last: evidence.Pos{Source: "log", Line: 1}, N: 1}
			for metric, kind := range tt.kinds {
				role := evidence.Series
				if kind == evidence.KindRate {
					role = evidence.Diagnostic
				}
				track.Columns = append(track.Columns, evidence.Column{Name: metric, Role: role, Kind: kind})
				row.Cells = append(row.Cells, evidence.Cell{N: 1, First: 1, Last: 1, Min: 1, Max: 1, Text: "1"})
			}
			track.Rows = []evidence.Row{row}
			ev.Tracks = []evidence.Track{track}
			var got []string
			res, err := Judge(&ev, DefaultConfig())
			require.NoError(t, err)
			for _, c := range res.Claims {
				got = append(got, c.Name)
			}
			require.Equal(t, tt.want, got)
		})
	}
}
