package verdict

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// lines makes one report without a step for each offset.
func lines(offsets ...int64) *method {
	m := &method{}
	for _, o := range offsets {
		m.events = append(m.events, skip{offset: o, since: o, end: o, n: 1})
	}
	return m
}

func named(step float64, n float64, isSingle bool) skip {
	s := evidence.Num(step)
	return skip{offset: int64(10 * step), since: int64(10 * step), end: int64(10 * step), n: n, clock: "step", single: isSingle, step: evidence.Span{Has: true, First: s, Last: s}}
}

func TestSkipsInARow(t *testing.T) {
	t.Parallel()
	every := func(steps ...float64) []reading {
		var out []reading
		for i, s := range steps {
			out = append(out, reading{offset: int64(100 * i), value: s})
		}
		return out
	}
	tests := []struct {
		name  string
		m     *method
		clock string
		rs    []reading
		want  float64 // longest row
	}{
		{"a line in each step", lines(50, 150, 250), "step", every(7, 8, 9, 10), 3},
		{"all steps between two records", lines(10, 20, 30), "step", every(7, 10), 3},
		{"three of fifty", lines(10, 20, 30), "step", every(50, 100), 0},
		{"an applied step between", lines(50, 250), "step", every(7, 8, 9, 10), 1},
		{"updates stand still", lines(10, 20, 30), "num_updates", every(597, 597), 3},
		{"updates go on", lines(10, 20, 30), "num_updates", every(597, 600), 0},
		{"nothing follows", lines(10, 20, 30), "step", every(7), 0},
		{"the counter begins anew", lines(10, 20, 30), "step", every(90, 1), 0},
		{"records that name their step", &method{events: []skip{named(4, 1, true), named(5, 1, true), named(7, 1, true)}}, "step", nil, 2},
		{"whole intervals", &method{events: []skip{named(200, 100, false), named(300, 100, false)}}, "step", []reading{{1000, 100}, {2000, 200}, {3000, 300}}, 200},
		{"parts of intervals", &method{events: []skip{named(200, 24, false), named(300, 24, false)}}, "step", []reading{{1000, 100}, {2000, 200}, {3000, 300}}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			links := tt.m.chain(tt.clock, tt.rs, 0)
			require.InDelta(t, tt.want, links[len(links)-1].longest, 0)
		})
	}
}

func TestIncreasesOfARunningTotal(t *testing.T) {
	t.Parallel()
	got := increases([]skip{{offset: 1, n: 2}, {offset: 2, n: 2}, {offset: 3, n: 5}, {offset: 4, n: 4}})
	require.Len(t, got, 2)
	require.InDelta(t, 2, got[0].n, 0)
	require.InDelta(t, 3, got[1].n, 0)
}

func TestFloorIsFoundInAnyReport(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	s := &skips{methods: map[string]*method{
		"lines":   {events: []skip{{offset: 10, n: 1, from: 1, to: 1}}},
		"counter": {events: []skip{{offset: 20, n: 1, from: nan, to: nan}, {offset: 30, n: 1, from: nan, to: nan}}},
	}}
	_, how := s.floor(25)
	require.NotEmpty(t, how)
	_, how = s.floor(10)
	require.Empty(t, how, "the report stands behind the value")
}

func TestReportsOneAfterAnother(t *testing.T) {
	t.Parallel()
	at := func(offsets ...int64) []reading {
		var out []reading
		for _, o := range offsets {
			out = append(out, reading{offset: o})
		}
		return out
	}
	m := lines(10, 20, 30)
	require.Equal(t, []float64{1, 2, 3}, m.crowds(&gaps{firsts: at(0, 40), lasts: at(0, 40)}))
	require.Equal(t, []float64{1, 2, 1}, m.crowds(&gaps{firsts: at(0, 25), lasts: at(0, 25)}), "a record stands between")
	require.Equal(t, []float64{1, 1, 1}, m.crowds(&gaps{firsts: at(0), lasts: at(40)}), "merged records may stand anywhere in their stretch")
	require.Equal(t, []float64{1, 1, 1}, m.crowds(&gaps{blind: true}), "records were not read")
}
