package compare

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// pairsDrawn is how many comparisons each simulation makes.
const pairsDrawn = 2000

func draw(r *rand.Rand, n int, p float64) Share {
	k := 0
	for range n {
		if r.Float64() < p {
			k++
		}
	}
	return Share{k, n}
}

func ofShares(a, b Share) Metric {
	m := Metric{Within: defaultWithin}
	g := items{ok: true, scale: 1, a: a, b: b}
	m.testShares(g)
	return m.concluded()
}

func ofPairs(p Pairs) Metric {
	var m Metric
	m.pairs(p, alphaDefault)
	return m.concluded()
}

func ofRuns(a, b []float64) Metric {
	m := Metric{A: Side{Runs: a, Value: mean(a)}, B: Side{Runs: b, Value: mean(b)}, Within: defaultWithin}
	m.testRuns(alphaDefault)
	return m.concluded()
}

// concluded takes a metric to its verdict as the only one of a report.
func (m Metric) concluded() Metric {
	r := Report{Metrics: []Metric{m}}
	r.conclude()
	return r.Metrics[0]
}

// found counts how often drawing and comparing says DIFFERENT.
func found(t *testing.T, one func(*rand.Rand) Metric) float64 {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	n := 0
	for range pairsDrawn {
		if one(r).Verdict == Different {
			n++
		}
	}
	share := float64(n) / pairsDrawn
	t.Logf("DIFFERENT in %.1f %%", 100*share)
	return share
}

func TestSimulatedShares(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		n int
		p float64
	}{{37, 0.838}, {200, 0.5}, {1000, 0.9}} {
		equal := found(t, func(r *rand.Rand) Metric { return ofShares(draw(r, tt.n, tt.p), draw(r, tt.n, tt.p)) })
		require.LessOrEqual(t, equal, 0.06)
		d, _, ok := detectableShare(Share{int(tt.p*float64(tt.n) + 0.5), tt.n}, tt.n, alphaDefault)
		require.True(t, ok)
		twice := found(t, func(r *rand.Rand) Metric { return ofShares(draw(r, tt.n, tt.p), draw(r, tt.n, tt.p-2*d)) })
		require.GreaterOrEqual(t, twice, 0.80)
	}
}

// drawPairs draws the items of two arms that disagree on a share of them, B
// being better by delta.
func drawPairs(r *rand.Rand, n int, flips, delta float64) Pairs {
	var p Pairs
	for range n {
		switch x := r.Float64(); {
		case x < (flips-delta)/2:
			p.OnlyA++
		case x < flips:
			p.OnlyB++
		case x < flips+0.7*(1-flips):
			p.Both++
		default:
			p.Neither++
		}
	}
	return p
}

func TestSimulatedPairs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		n     int
		flips float64
	}{{100, 0.2}, {1000, 0.1}} {
		equal := found(t, func(r *rand.Rand) Metric { return ofPairs(drawPairs(r, tt.n, tt.flips, 0)) })
		require.LessOrEqual(t, equal, 0.06)
		d, _, ok := detectablePairs(Pairs{OnlyA: int(tt.flips * float64(tt.n)), Both: int((1 - tt.flips) * float64(tt.n))}, alphaDefault)
		require.True(t, ok)
		twice := found(t, func(r *rand.Rand) Metric {
			return ofPairs(drawPairs(r, tt.n, max(tt.flips, 2*d), 2*d))
		})
		require.GreaterOrEqual(t, twice, 0.80)
	}
}

func seeds(r *rand.Rand, n int, at, sd float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = at + sd*r.NormFloat64()
	}
	return out
}

func TestSimulatedRuns(t *testing.T) {
	t.Parallel()
	const at, sd = 0.8, 0.01
	for _, n := range []int{4, 8} {
		equal := found(t, func(r *rand.Rand) Metric { return ofRuns(seeds(r, n, at, sd), seeds(r, n, at, sd)) })
		require.LessOrEqual(t, equal, 0.06)
		r := rand.New(rand.NewPCG(3, 4))
		d := 0.0
		const looks = 200
		for range looks {
			x, ok := detectableShift(seeds(r, n, at, sd), seeds(r, n, at, sd), alphaDefault)
			require.True(t, ok)
			d += x / looks
		}
		twice := found(t, func(r *rand.Rand) Metric { return ofRuns(seeds(r, n, at, sd), seeds(r, n, at+2*d, sd)) })
		require.GreaterOrEqual(t, twice, 0.80)
	}
}

// TestSimulatedUtterances: word errors of two systems on the same utterances.
func TestSimulatedUtterances(t *testing.T) {
	t.Parallel()
	const utterances, words = 40, 10
	s, err := WER.scorer()
	require.NoError(t, err)
	system := func(r *rand.Rand, rate float64, hard []float64) []counts {
		out := make([]counts, utterances)
		for i := range out {
			wrong := 0.0
			for range words {
				if r.Float64() < rate*hard[i] {
					wrong++
				}
			}
			out[i] = counts{wrong, words}
		}
		return out
	}
	share := func(worse float64) float64 {
		r := rand.New(rand.NewPCG(5, 6))
		n := 0
		for range pairsDrawn {
			hard := make([]float64, utterances)
			for i := range hard {
				hard[i] = 2 * r.Float64()
			}
			if randomisation(system(r, 0.2, hard), system(r, 0.2+worse, hard), s.total, 1000) < alphaDefault {
				n++
			}
		}
		return float64(n) / pairsDrawn
	}
	equal, worse := share(0), share(0.12)
	t.Logf("DIFFERENT in %.1f %% of equal pairs, in %.1f %% at twice what can be detected", 100*equal, 100*worse)
	require.LessOrEqual(t, equal, 0.06)
	require.GreaterOrEqual(t, worse, 0.80)
}

func TestAcceptance(t *testing.T) {
	t.Parallel()
	require.Equal(t, Different, ofShares(Share{8200, 10_000}, Share{8450, 10_000}).Verdict)
	require.Equal(t, CannotTell, ofShares(Share{30, 37}, Share{31, 37}).Verdict)
	require.Greater(t, moreItems(Share{30, 37}, Share{31, 37}, 1.0/37), 1000)
	require.Equal(t, Same, ofShares(Share{8400, 10_000 * 10}, Share{8401, 10_000 * 10}).Verdict)
	require.Equal(t, CannotTell, ofRuns([]float64{1, 2, 3}, []float64{11, 12, 13}).Verdict)
	require.Equal(t, Different, ofRuns([]float64{1, 2, 3, 4}, []float64{11, 12, 13, 14}).Verdict)
	require.Equal(t, CannotTell, ofRuns([]float64{0.5}, []float64{0.9}).Verdict)
	require.Equal(t, Same, ofRuns([]float64{0.801, 0.802, 0.803, 0.804}, []float64{0.8011, 0.8021, 0.8031, 0.8041}).Verdict)
}
