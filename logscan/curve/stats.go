package curve

import (
	"math"
	"slices"
)

// median of vs; NaN when empty. vs is not changed.
func median(vs []float64) float64 { return quantile(vs, 0.5) }

// quantile interpolates between ranks.
func quantile(vs []float64, q float64) float64 {
	if len(vs) == 0 {
		return math.NaN()
	}
	s := slices.Clone(vs)
	slices.Sort(s)
	at := q * float64(len(s)-1)
	lo := int(at)
	if lo+1 >= len(s) {
		return s[lo]
	}
	return s[lo] + (at-float64(lo))*(s[lo+1]-s[lo])
}

// toSigma turns a median absolute deviation into a normal standard deviation.
const toSigma = 1.4826

// spread is the robust standard deviation.
func spread(vs []float64) float64 {
	m := median(vs)
	dev := make([]float64, len(vs))
	for i, v := range vs {
		dev[i] = math.Abs(v - m)
	}
	return toSigma * median(dev)
}

// noise is the standard deviation of the values around their trend, from second
// differences: slope drops out of them, and most of the bend.
func noise(vs []float64) float64 {
	if len(vs) < 4 {
		return 0
	}
	return spread(steps(steps(vs))) / math.Sqrt(6)
}

func steps(vs []float64) []float64 {
	out := make([]float64, 0, len(vs))
	for i := 1; i < len(vs); i++ {
		out = append(out, vs[i]-vs[i-1])
	}
	return out
}

// smooth gives the medians of at most blocks equal stretches.
func smooth(vs []float64, blocks int) []float64 {
	blocks = min(blocks, len(vs)/2)
	out := make([]float64, 0, blocks)
	for i := range blocks {
		out = append(out, median(vs[i*len(vs)/blocks:(i+1)*len(vs)/blocks]))
	}
	return out
}

// head and tail are the medians of the first and last share of vs, three
// values at least.
func head(vs []float64, share float64) float64 { return median(vs[:part(vs, share)]) }
func tail(vs []float64, share float64) float64 { return median(vs[len(vs)-part(vs, share):]) }

func part(vs []float64, share float64) int {
	return min(len(vs), max(3, int(share*float64(len(vs)))))
}

// rising is the share of later-above-earlier among all pairs.
func rising(vs []float64) float64 {
	up, all := 0, 0
	for i := range vs {
		for j := i + 1; j < len(vs); j++ {
			all++
			if vs[j] > vs[i] {
				up++
			}
		}
	}
	if all == 0 {
		return 0
	}
	return float64(up) / float64(all)
}

func minmax(vs []float64) (lo, hi float64) {
	if len(vs) == 0 {
		return math.NaN(), math.NaN()
	}
	return slices.Min(vs), slices.Max(vs)
}
