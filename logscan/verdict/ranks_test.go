package verdict

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// heldBy builds what ranks held: one row a rank, one digest a look; the looks
// are at steps 0, 1, 2 and so on, and - is a look that was not made.
func heldBy(expect string, rows ...string) *evidence.Run {
	run := &evidence.Run{}
	for rank, row := range rows {
		h := evidence.Held{Code: "replicas-differ", Effect: "degrade", Group: "g", Member: fmt.Sprintf("rank %d", rank), Expect: expect, Text: "the parameters"}
		for step, v := range row {
			if v == '-' {
				continue
			}
			h.Items = append(h.Items, evidence.HeldItem{Step: int64(step), Value: string(v)},
				evidence.HeldItem{Step: int64(step), Name: "first", Value: "always"}, evidence.HeldItem{Step: int64(step), Name: "second", Value: string(v)})
		}
		run.Held = append(run.Held, h)
	}
	return run
}

func TestRanksAreComparedStepByStep(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		expect string
		rows   []string
		step   float64 // 0: no finding
	}{
		"equal":                                    {"equal", []string{"abcdef", "abcdef"}, 0},
		"apart from the first step on":             {"equal", []string{"abcdef", "aBCDEF"}, 1},
		"apart before the first step":              {"equal", []string{"abcdef", "ABCDEF"}, 1},
		"a bit flips late":                         {"equal", []string{"abcdef", "abcdeF"}, 5},
		"one look is not at the same steps":        {"equal", []string{"a-c-e-", "-b-d-f"}, 0},
		"the third of three":                       {"equal", []string{"abcd", "abcd", "abCD"}, 2},
		"averaged every third step":                {"equal", []string{"abcdefghi", "aBCdEFgHI"}, 0},
		"averaged, and then no more":               {"equal", []string{"abcdefghijklmn", "aBCdEFGHIJKLMN"}, 4},
		"one rank only":                            {"equal", []string{"abc"}, 0},
		"models of their own":                      {"stays", []string{"abcdef", "ABCDEF"}, 0},
		"the same once, nothing keeps it so":       {"stays", []string{"abcdef", "aBCDEF"}, 1},
		"the same once, too early to say":          {"stays", []string{"abc", "aBC"}, 0},
		"the same data on both":                    {"apart", []string{"-abcd", "-abcd"}, 1},
		"data of their own":                        {"apart", []string{"-abcd", "-efgh"}, 0},
		"one batch again and again, to see it fit": {"apart", []string{"-aaaaaa", "-aaaaaa"}, 0},
		"the same data by chance once":             {"apart", []string{"-abcd", "-aefg"}, 0},
		"facts":                                    {"nothing", []string{"abc", "def"}, 0},
	} {
		found := fromRanks(heldBy(tt.expect, tt.rows...))
		if tt.step == 0 {
			require.Empty(t, found, name)
			continue
		}
		require.Len(t, found, 1, name)
		require.InDelta(t, tt.step, *found[0].From, 0, name)
		require.Equal(t, evidence.Job, found[0].Scope)
		if tt.expect != "apart" {
			require.Contains(t, found[0].Text, "first in second", name)
		}
	}
}

func TestFactsOfRanksAreNamed(t *testing.T) {
	t.Parallel()
	run := &evidence.Run{}
	for i, torch := range []string{"2.6.0", "2.5.1"} {
		run.Held = append(run.Held, evidence.Held{Code: "ranks-differ", Effect: "note", Group: "g", Member: fmt.Sprintf("rank %d", i), Expect: "equal", Text: "the ranks",
			Items: []evidence.HeldItem{{Step: -1, Name: "torch", Value: torch}, {Step: -1, Name: "samples", Value: "512"}}})
	}
	found := fromRanks(run)
	require.Len(t, found, 1)
	require.Equal(t, "the ranks: torch is 2.6.0 on rank 0 and 2.5.1 on rank 1", found[0].Text)
}
