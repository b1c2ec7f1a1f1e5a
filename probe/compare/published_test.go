package compare

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The values of this file are published ones; each names its place.

func TestWilsonAsPublished(t *testing.T) {
	// Newcombe 1998, Statistics in Medicine 17:857, table I, method 3.
	for _, tt := range []struct {
		s      Share
		lo, hi float64
	}{
		{Share{81, 263}, 0.2553, 0.3662},
		{Share{15, 148}, 0.0624, 0.1605},
		{Share{0, 20}, 0, 0.1611},
		{Share{1, 29}, 0.0061, 0.1718},
	} {
		lo, hi := Wilson(tt.s)
		require.InDelta(t, tt.lo, lo, 5e-5, tt.s)
		require.InDelta(t, tt.hi, hi, 5e-5, tt.s)
	}
}

func TestNewcombeAsPublished(t *testing.T) {
	// Newcombe 1998, Statistics in Medicine 17:873, table II, method 10.
	for _, tt := range []struct {
		p, q   Share
		lo, hi float64
	}{
		{Share{56, 70}, Share{48, 80}, 0.0524, 0.3339},
		{Share{9, 10}, Share{3, 10}, 0.1705, 0.8090},
		{Share{5, 56}, Share{0, 29}, -0.0381, 0.1926},
	} {
		lo, hi := Newcombe(tt.q, tt.p)
		require.InDelta(t, tt.lo, lo, 5e-5, tt)
		require.InDelta(t, tt.hi, hi, 5e-5, tt)
	}
}

func TestNewcombePairedAsPublished(t *testing.T) {
	// Newcombe 1998, Statistics in Medicine 17:2635, method 10: 36, 12, 2, 0.
	lo, hi := NewcombePaired(Pairs{Both: 36, OnlyB: 12, OnlyA: 2})
	require.InDelta(t, 0.0569, lo, 5e-5)
	require.InDelta(t, 0.3404, hi, 5e-5)
}

func TestFisherAsPublished(t *testing.T) {
	require.InDelta(t, 34.0/70, Fisher(Share{3, 4}, Share{1, 4}), 1e-9)      // Fisher 1935: the lady tasting tea
	require.InDelta(t, 0.0005367, Fisher(Share{2, 17}, Share{10, 13}), 5e-8) // Fisher 1925: convicted twins
	require.InDelta(t, 1, Fisher(Share{30, 37}, Share{31, 37}), 1e-9)        // one sample of 37
	require.InDelta(t, 1, Fisher(Share{0, 9}, Share{0, 9}), 1e-9)            // no table but one
	require.Less(t, Fisher(Share{8200, 10_000}, Share{8450, 10_000}), 1e-5)  // 2.5 points of 10,000
	require.InDelta(t, Fisher(Share{5, 20}, Share{11, 30}), Fisher(Share{11, 30}, Share{5, 20}), 1e-12)
}

func TestMcNemarAsPublished(t *testing.T) {
	require.InDelta(t, 3.716e-05, McNemar(150, 86), 5e-9) // Agresti 1990, table 10.1: approval of the same 1,600 voters
	require.InDelta(t, 0.03125, McNemar(6, 0), 1e-12)
	require.InDelta(t, 0.0390625, McNemar(8, 1), 1e-12)
	require.InDelta(t, 0.03857, McNemar(2, 10), 5e-6)
	require.InDelta(t, 1, McNemar(1, 0), 1e-12)
	require.InDelta(t, 1, McNemar(0, 0), 1e-12)
	require.Equal(t, 6, fewestFlips(0.05))
}

func TestMannWhitneyAsPublished(t *testing.T) {
	// Hollander and Wolfe 1973, p. 69: permeability of the placenta; one-sided
	// p = 0.1272.
	x := []float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}
	y := []float64{1.15, 0.88, 0.90, 0.74, 1.21}
	require.InDelta(t, 2*0.1272, MannWhitney(x, y), 1e-4)
	lo, hi, ok := shiftInterval(y, x, 0.05)
	require.True(t, ok)
	require.InDelta(t, -0.15, lo, 1e-9)
	require.InDelta(t, 0.76, hi, 1e-9)
	// The least that 3 and 3, 4 and 4, 5 and 5 can show.
	for n, p := range map[int]float64{3: 0.1, 4: 0.02857, 5: 0.007937} {
		a, b := make([]float64, n), make([]float64, n)
		for i := range n {
			a[i], b[i] = float64(i), float64(100+i)
		}
		require.InDelta(t, p, MannWhitney(a, b), 1e-5, n)
	}
	require.Equal(t, 4, fewestRuns(0.05))
	same := []float64{1, 1, 1, 1}
	require.GreaterOrEqual(t, MannWhitney(same, same), 0.99)
}

func TestHolmAsPublished(t *testing.T) {
	// Holm 1979: the smallest times their number, the next times one less ...
	require.InDeltaSlice(t, []float64{0.05, 0.08, 0.09, 0.09, 0.09}, Holm([]float64{0.01, 0.02, 0.03, 0.04, 0.05}), 1e-12)
	require.InDeltaSlice(t, []float64{1, 0.03, 0.06}, Holm([]float64{1, 0.01, 0.03}), 1e-12)
	require.Empty(t, Holm(nil))
}

func TestWhatADesignCanShow(t *testing.T) {
	// The smallest drop from 83.8 % that Fisher's test calls significant.
	for _, tt := range []struct {
		a    Share
		diff float64
	}{{Share{31, 37}, 9.0 / 37}, {Share{84, 100}, 0.13}, {Share{419, 500}, 0.052}, {Share{838, 1000}, 0.035}, {Share{4190, 5000}, 0.015}} {
		diff, _, ok := detectableShare(tt.a, tt.a.N, 0.05)
		require.True(t, ok)
		require.InDelta(t, tt.diff, diff, 6e-4, tt.a)
	}
	_, _, ok := detectableShare(Share{1, 2}, 2, 0.05)
	require.False(t, ok)
	d, flips, ok := detectablePairs(Pairs{Both: 90, Neither: 10}, 0.05)
	require.True(t, ok)
	require.Equal(t, 6, flips)
	require.InDelta(t, 0.06, d, 1e-12)
	_, _, ok = detectablePairs(Pairs{Both: 3}, 0.05)
	require.False(t, ok)
}

func TestErrorsAndBLEU(t *testing.T) {
	require.Equal(t, counts{3, 6}, errorsOf([]string{"the", "cat", "sat", "on", "the", "mat"}, []string{"cat", "sat", "in", "the", "mat", "now"}))
	require.Equal(t, counts{3, 7}, errorsOf(splitRunes("sitting"), splitRunes("kitten"))) // Levenshtein's example
	require.Equal(t, counts{2, 0}, errorsOf(nil, []string{"a", "b"}))
	one := Item{Label: "the quick brown fox jumps over the lazy dog", Prediction: "the quick brown fox jumped over the lazy dog"}
	require.InDelta(t, bleuReference, bleu(bleuCounts(one)), 1e-6)
	require.Zero(t, bleu(bleuCounts(Item{Label: "a b c d", Prediction: "e f g h"})))
	require.InDelta(t, 100, bleu(bleuCounts(Item{Label: "a b c d e", Prediction: "a b c d e"})), 1e-9)
	short := Item{Label: "a b c d e f g h", Prediction: "a b c d"}
	require.InDelta(t, 100*math.Exp(-1), bleu(bleuCounts(short)), 1e-9) // brevity alone
}

func splitRunes(s string) []string {
	var out []string
	for _, r := range s {
		out = append(out, string(r))
	}
	return out
}

// bleuReference is what sacreBLEU 2 prints for the sentence with tokenize=none
// and smooth_method=none.
const bleuReference = 59.694917920196445
