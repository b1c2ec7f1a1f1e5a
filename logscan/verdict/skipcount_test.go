package verdict

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestACounterCorrectsLinesOfManyRanks(t *testing.T) {
	t.Parallel()
	perRank := lines(1, 2, 3, 4, 5, 6, 7, 8) // eight ranks, one step
	counter := &method{cumulative: true, reports: []reading{{offset: 50, value: 1}, {offset: 90, value: 1}}, events: []skip{{offset: 50, n: 1}}}
	s := &skips{methods: map[string]*method{"lines": perRank, "counter": counter}}
	require.InDelta(t, 8, s.count(40).skipped, 0, "before the counter speaks, lines count")
	require.InDelta(t, 1, s.count(60).skipped, 0)
	require.Same(t, counter, s.count(60).by, "so many lines are no row of skips")
	require.InDelta(t, 1, s.count(math.MaxInt64).skipped, 0)

	perRank.events = append(perRank.events, skip{offset: 95, n: 1}, skip{offset: 96, n: 1})
	require.InDelta(t, 3, s.count(math.MaxInt64).skipped, 0, "lines behind its last report come on top")
}

func TestHysteresisIsNoFloor(t *testing.T) {
	t.Parallel()
	require.Empty(t, atFloor(skip{from: 256, to: 256}))
	require.Empty(t, atFloor(skip{from: 65536, to: math.NaN()}))
	require.NotEmpty(t, atFloor(skip{from: 1, to: 1}))
	require.NotEmpty(t, atFloor(skip{from: 1, to: 0}))
}
