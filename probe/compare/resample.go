package compare

import "math"

// Resampling of items.
const (
	mostRounds  = 10_000
	fewRounds   = 1_000
	roundsTimes = 400_000_000 // additions that a comparison may take
)

// roundsFor bounds the work on large sets, where fewer rounds are as exact.
func roundsFor(items, width int) int {
	return max(fewRounds, min(mostRounds, roundsTimes/(items*width)))
}

// pairedBootstrap returns the 95 % interval of the difference b-a over items
// drawn again with replacement, the same ones for both arms (Koehn 2004).
func pairedBootstrap(a, b []counts, total func(counts) float64, rounds int) (lo, hi float64) {
	r := fixedRandom()
	diffs := make([]float64, rounds)
	sa, sb := make(counts, len(a[0])), make(counts, len(b[0]))
	for i := range diffs {
		clear(sa)
		clear(sb)
		for range a {
			k := r.IntN(len(a))
			sa.add(a[k], 1)
			sb.add(b[k], 1)
		}
		diffs[i] = total(sb) - total(sa)
	}
	return percentiles(diffs)
}

// randomisation returns the two-sided probability of so large a difference
// when it is chance which arm an item's output came from. Unlike what the
// bootstrap gives, it holds its level with few items.
func randomisation(a, b []counts, total func(counts) float64, rounds int) float64 {
	sa, sb := sumOf(a), sumOf(b)
	seen := math.Abs(total(sb) - total(sa))
	r := fixedRandom()
	asFar := 1 // the data as they are
	ta, tb := make(counts, len(sa)), make(counts, len(sb))
	for range rounds {
		clear(ta)
		clear(tb)
		for k := range a {
			if r.Uint64()&1 == 0 {
				ta.add(a[k], 1)
				tb.add(b[k], 1)
			} else {
				ta.add(b[k], 1)
				tb.add(a[k], 1)
			}
		}
		if math.Abs(total(tb)-total(ta)) >= seen*(1-1e-12) {
			asFar++
		}
	}
	return float64(asFar) / float64(rounds+1)
}
