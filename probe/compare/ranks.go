package compare

import (
	"math"
	"math/rand/v2"
	"slices"

	"golang.org/x/perf/benchmath"
)

// alphaDefault is the level of every test.
const alphaDefault = 0.05

// MannWhitney returns the two-sided probability, exact for up to 50 values an
// arm, that values of one distribution are ranked so far apart.
func MannWhitney(a, b []float64) float64 {
	t := benchmath.DefaultThresholds
	return benchmath.AssumeNothing.Compare(
		benchmath.NewSample(slices.Clone(a), &t), benchmath.NewSample(slices.Clone(b), &t)).P
}

// shiftInterval is the interval of the shift from a to b that Mann-Whitney does
// not refuse (Hodges and Lehmann). It has the test's own level however few
// values there are; ok is false where no shift at all could be refused.
func shiftInterval(a, b []float64, alpha float64) (lo, hi float64, ok bool) {
	diffs := make([]float64, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			diffs = append(diffs, y-x)
		}
	}
	slices.Sort(diffs)
	diffs = slices.Compact(diffs)
	spread := max(diffs[len(diffs)-1]-diffs[0], math.Abs(diffs[0]), 1e-300)
	if !refused(a, b, diffs[0]-spread, alpha) {
		return 0, 0, false
	}
	// Between two neighbouring differences no ranks change.
	between := func(i int) float64 { return diffs[i] + (diffs[i+1]-diffs[i])/2 }
	first := search(len(diffs)-1, func(i int) bool { return !refused(a, b, between(i), alpha) })
	last := search(len(diffs)-1, func(i int) bool { return !refused(a, b, between(len(diffs)-2-i), alpha) })
	if first == len(diffs)-1 { // refused in every gap
		m := diffs[len(diffs)/2]
		return m, m, true
	}
	return diffs[first], diffs[len(diffs)-1-last], true
}

// search returns the smallest i below n for which yes holds, by halving.
func search(n int, yes func(int) bool) int {
	low, high := 0, n
	for low < high {
		if mid := (low + high) / 2; yes(mid) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low
}

func refused(a, b []float64, shift, alpha float64) bool {
	return MannWhitney(a, moved(b, -shift)) < alpha
}

func moved(values []float64, by float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = v + by
	}
	return out
}

// detectableShift is the smallest shift between the arms that Mann-Whitney would
// call significant, with the spread that each arm shows. ok is false where none
// would do: 3 and 3 runs are too few for any.
func detectableShift(a, b []float64, alpha float64) (float64, bool) {
	ra, rb := moved(a, -mean(a)), moved(b, -mean(b))
	spread := max(rangeOf(ra), rangeOf(rb), scale(a, b)*1e-9)
	high := 4 * spread
	if MannWhitney(ra, moved(rb, high)) >= alpha {
		return 0, false
	}
	low := 0.0
	for range 40 {
		if mid := (low + high) / 2; MannWhitney(ra, moved(rb, mid)) < alpha {
			high = mid
		} else {
			low = mid
		}
	}
	return high, true
}

// fewestRuns is the smallest number of runs an arm with which full separation
// is significant: 4 at 5 %.
func fewestRuns(alpha float64) int {
	for n := 2; ; n++ {
		if 2/math.Exp(logChoose(2*n, n)) < alpha {
			return n
		}
	}
}

// moreRuns is how many more runs an arm needs so that a true difference of
// delta is shown in 4 of 5 cases, with the spread seen within the arms.
func moreRuns(a, b []float64, delta, alpha float64) int {
	const efficiency = 3 / math.Pi // of ranks against means, for normal values
	have := min(len(a), len(b))
	need := float64(fewestRuns(alpha))
	if v := (variance(a) + variance(b)) / 2; len(a) > 1 && len(b) > 1 && delta > 0 {
		need = max(need, 2*v*sq(z95+zPower)/(delta*delta)/efficiency)
	}
	return more(need, have)
}

// Bootstrap returns the 95 % percentile interval of the difference of the
// means, over runs drawn again with replacement.
func Bootstrap(a, b []float64) (lo, hi float64) {
	const rounds = 10_000
	r := fixedRandom()
	diffs := make([]float64, rounds)
	for i := range diffs {
		diffs[i] = redrawn(r, b) - redrawn(r, a)
	}
	return percentiles(diffs)
}

// fixedRandom draws the same numbers each time: what is said of a comparison
// must not depend on when it is asked.
func fixedRandom() *rand.Rand { return rand.New(rand.NewPCG(0x7261_696e, 0x7665_74)) }

func redrawn(r *rand.Rand, values []float64) float64 {
	sum := 0.0
	for range values {
		sum += values[r.IntN(len(values))]
	}
	return sum / float64(len(values))
}

// percentiles are those that hold the middle 95 % of the values, which it sorts.
func percentiles(values []float64) (lo, hi float64) {
	slices.Sort(values)
	at := func(q float64) float64 { return values[int(math.Round(q*float64(len(values)-1)))] }
	return at(0.025), at(0.975)
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// variance is the unbiased one; 0 for a single value.
func variance(values []float64) float64 {
	if len(values) < 2 {
		return 0
	}
	m, sum := mean(values), 0.0
	for _, v := range values {
		sum += sq(v - m)
	}
	return sum / float64(len(values)-1)
}

func rangeOf(values []float64) float64 { return slices.Max(values) - slices.Min(values) }

// scale is the size of the values, for what is small against it.
func scale(a, b []float64) float64 {
	s := 0.0
	for _, v := range slices.Concat(a, b) {
		s = max(s, math.Abs(v))
	}
	return max(s, 1e-300)
}

// Holm adjusts probabilities for their number: each is then compared with the
// level as it stands. The order of the input is kept.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case p[i] < p[j]:
			return -1
		case p[i] > p[j]:
			return 1
		}
		return 0
	})
	out := make([]float64, len(p))
	worst := 0.0
	for rank, i := range order {
		worst = max(worst, min(1, p[i]*float64(len(p)-rank)))
		out[i] = worst
	}
	return out
}
