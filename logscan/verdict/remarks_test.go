package verdict

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
)

func TestConstantNeedsDigits(t *testing.T) {
	t.Parallel()
	for text, remarks := range map[string]int{"1.00": 0, "85": 0, "0.2919": 1, "0.0": 1} {
		v, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err)
		n := evidence.Num(v)
		track := evidence.Track{Source: "log", Format: "kv", Columns: []evidence.Column{{Name: "acc", Role: evidence.Eval, Kind: evidence.KindAccuracy}}}
		for i := range 4 {
			at := evidence.Pos{Source: "log", Line: int64(i + 1), Offset: int64(100 * i)}
			track.Rows = append(track.Rows, evidence.Row{First: at, Last: at, N: 1, Cells: []evidence.Cell{{N: 1, First: n, Last: n, Min: n, Max: n, Text: text}}})
		}
		ev := evidence.Evidence{Sources: []evidence.Source{{ID: "log", Group: "log"}}, Tracks: []evidence.Track{track}}
		res, err := Judge(&ev, DefaultConfig())
		require.NoError(t, err)
		require.Len(t, res.Claims, 1)
		require.Len(t, res.Claims[0].Remarks, remarks, text)
	}
}
