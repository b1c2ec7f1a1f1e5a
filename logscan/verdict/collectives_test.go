package verdict

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// calledBy builds what ranks handed to the collectives of one group: one list a
// rank, the calls of step 1, 2 and so on.
func calledBy(ends bool, ranks ...[]string) *evidence.Run {
	run := &evidence.Run{}
	for rank, calls := range ranks {
		h := evidence.Held{Code: "collectives-unlike", Effect: "degrade", Group: "g", Member: fmt.Sprintf("rank %d", rank), Expect: "meets", Text: "the collectives of ranks 0,1"}
		for i, text := range calls {
			h.Items = append(h.Items, evidence.HeldItem{Step: int64(i + 1), Name: "call " + strconv.Itoa(i+1), Value: text})
		}
		if ends {
			h.Items = append(h.Items, evidence.HeldItem{Step: int64(len(calls)), Name: "calls", Value: strconv.Itoa(len(calls))})
		}
		run.Held = append(run.Held, h)
	}
	return run
}

func TestCollectivesOfRanksMeet(t *testing.T) {
	t.Parallel()
	const sum = "all_reduce SUM float32 4x16 @ train.py:60"
	for name, tt := range map[string]struct {
		ranks [][]string
		step  float64
		text  string // empty: no finding
	}{
		"alike":              {[][]string{{sum, sum}, {sum, sum}}, 0, ""},
		"from another line":  {[][]string{{sum}, {"all_reduce SUM float32 4x16 @ train.py:66"}}, 0, ""},
		"another shape":      {[][]string{{sum, sum}, {sum, "all_reduce SUM float32 16x4 @ a.py:9"}}, 2, "call 2 of the collectives of ranks 0,1 does not fit: rank 0 calls all_reduce SUM float32 4x16 (train.py:60), rank 1 calls all_reduce SUM float32 16x4 (a.py:9)"},
		"another operation":  {[][]string{{sum}, {"broadcast from 0 float32 64"}}, 1, "rank 1 calls broadcast from 0 float32 64"},
		"another type":       {[][]string{{sum}, {"all_reduce SUM float16 4x16"}}, 1, "float16"},
		"the third of three": {[][]string{{sum}, {sum}, {"barrier"}}, 1, "rank 2 calls barrier"},
		"what is sent is expected": {[][]string{
			{"all_to_all_single float32; sent 64 48; received 64 80; place 0"},
			{"all_to_all_single float32; sent 80 64; received 48 64; place 1"}}, 0, ""},
		"less is sent than expected": {[][]string{
			{"all_to_all_single float32; sent 64 48; received 64 64; place 0"},
			{"all_to_all_single float32; sent 64 64; received 64 64; place 1 @ moe.py:7"}}, 1, "all_to_all_single float32: rank 0 sends 48 numbers to rank 1, which expects 64 (moe.py:7)"},
		"the other way": {[][]string{
			{"all_gather float32; sent 4 4; received 4 4; place 0 @ moe.py:7"},
			{"all_gather float32; sent 8 8; received 4 8; place 1"}}, 1, "rank 1 sends 8 numbers to rank 0, which expects 4 (moe.py:7)"},
		"sizes that are not written": {[][]string{{"all_to_all float32; sent ; received ; place 0"}, {"all_to_all float32; sent ; received ; place 1"}}, 0, ""},
		"nonsense":                   {[][]string{{"all_to_all float32; sent x; place"}, {"all_to_all float32; sent 1; received 2; place 900"}}, 0, ""},
		"one was killed":             {[][]string{{sum, sum}, {sum}}, 0, ""},
	} {
		found := fromRanks(calledBy(false, tt.ranks...))
		if tt.text == "" {
			require.Empty(t, found, name)
			continue
		}
		require.Len(t, found, 1, name)
		require.Contains(t, found[0].Text, tt.text, name)
		require.InDelta(t, tt.step, *found[0].From, 0, name)
		require.Equal(t, "degrade", found[0].Effect, name)
	}
}

// TestACallOfAnyNumber: a record may say that it is the call of any number, and
// nobody counts up to it.
func TestACallOfAnyNumber(t *testing.T) {
	t.Parallel()
	run := calledBy(false, nil, nil)
	for i, text := range []string{"barrier", "all_reduce SUM float32 4"} {
		run.Held[i].Items = []evidence.HeldItem{{Step: 1, Name: "call 9000000000000000000", Value: text}}
	}
	found := fromRanks(run)
	require.Len(t, found, 1)
	require.Contains(t, found[0].Text, "call 9000000000000000000")
}

func TestNumbersOfCollectivesAreANote(t *testing.T) {
	t.Parallel()
	found := fromRanks(calledBy(true, []string{"barrier", "barrier"}, []string{"barrier"}))
	require.Len(t, found, 1)
	require.Equal(t, "note", found[0].Effect)
	require.Equal(t, "rank 0 made 2 of the collectives of ranks 0,1, rank 1 made 1", found[0].Text)
}

func TestCollectivesThatAreNotWrittenOneByOne(t *testing.T) {
	t.Parallel()
	run := calledBy(false, nil, nil)
	for i, digest := range []string{"a", "b"} {
		run.Held[i].Items = []evidence.HeldItem{{Step: 900, Name: "until 4096", Value: "same"}, {Step: 901, Name: "until 4160", Value: digest}}
	}
	found := fromRanks(run)
	require.Len(t, found, 1)
	require.InDelta(t, 901, *found[0].From, 0)
	require.Equal(t, "by step 901, of the first 4160 calls of the collectives of ranks 0,1 those of rank 1 are not those of rank 0", found[0].Text)
}
