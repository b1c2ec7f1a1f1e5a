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

// TestRanksThatDiffer: one row stands for all ranks, and says where they differ.
// What is one value printed with more and with fewer digits is one, and an earlier
// evaluation is none of the same.
func TestRanksThatDiffer(t *testing.T) {
	t.Parallel()
	type printed struct {
		rank int
		step float64
		text string
	}
	for name, c := range map[string]struct {
		values []printed
		shown  string
		remark string
	}{
		"each its own part": {
			[]printed{{2, 50, "0.92"}, {0, 50, "0.90"}, {1, 50, "0.91"}}, "0.90",
			"this is rank 0's: the ranks have 0.90 (rank 0) to 0.92 (rank 2), and no line that was read holds one value for all",
		},
		"a test without a step": {
			[]printed{{1, -1, "0.93"}, {0, -1, "0.90"}}, "0.90",
			"this is rank 0's: the ranks have 0.90 (rank 0) to 0.93 (rank 1), and no line that was read holds one value for all",
		},
		"reduced":          {[]printed{{1, 50, "0.91"}, {0, 50, "0.91"}}, "0.91", ""},
		"the last digit":   {[]printed{{0, 50, "0.91"}, {1, 50, "0.90"}}, "0.91", ""}, // rounding
		"fewer digits":     {[]printed{{0, 50, "0.9196"}, {1, 50, "0.92"}}, "0.9196", ""},
		"one lags behind":  {[]printed{{0, 40, "0.80"}, {1, 50, "0.91"}}, "0.91", ""},
		"no rank is named": {[]printed{{-1, 50, "0.90"}, {-1, 50, "0.90"}}, "0.90", ""},
	} {
		var ev evidence.Evidence
		for i, p := range c.values {
			id := "log" + strconv.Itoa(i)
			src := evidence.Source{ID: id, Group: "job"}
			if p.rank >= 0 {
				src.Rank = &p.rank
			}
			v, err := strconv.ParseFloat(p.text, 64)
			require.NoError(t, err)
			n, at := evidence.Num(v), evidence.Pos{Source: id, Line: 1}
			ev.Sources = append(ev.Sources, src)
			ev.Tracks = append(ev.Tracks, evidence.Track{
				Source: id, Format: "kv", Columns: []evidence.Column{{Name: "acc", Role: evidence.Eval, Kind: evidence.KindAccuracy}},
				Rows: []evidence.Row{{First: at, Last: at, N: 1, Step: evidence.Span{Has: p.step >= 0, First: evidence.Num(p.step), Last: evidence.Num(p.step)},
					Cells: []evidence.Cell{{N: 1, First: n, Last: n, Min: n, Max: n, Text: p.text}}}},
			})
		}
		res, err := Judge(&ev, DefaultConfig())
		require.NoError(t, err)
		require.Len(t, res.Claims, 1, name)
		require.Equal(t, c.shown, res.Claims[0].Text, name)
		if c.remark == "" {
			require.Empty(t, res.Claims[0].Remarks, name)
		} else {
			require.Equal(t, []string{c.remark}, res.Claims[0].Remarks, name)
		}
	}
}

// TestUnheardIsSaid: a recorded run in which no guard spoke says so, and of which
// process it is owed; one with guards does not, whatever else ran.
func TestUnheardIsSaid(t *testing.T) {
	t.Parallel()
	require.Empty(t, unheard(&evidence.Run{Boots: []evidence.Boot{{Pid: 1}}}))
	require.Empty(t, unheard(&evidence.Run{Loose: true}), "another note says it of records that stand alone")
	require.Empty(t, unheard(&evidence.Run{})[0].Do, "a program that needs no guards is told nothing to do")
	n := unheard(&evidence.Run{Unheard: []string{"process 12 (python train.py), which loaded torch"}})
	require.Contains(t, n[0].Text, "process 12 (python train.py), which loaded torch")
	require.Contains(t, n[0].Do, "PYTHONPATH")
}
