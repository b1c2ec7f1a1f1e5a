package compare

import "math"

// z95 is the two-sided 95 % quantile of the normal distribution; zPower that
// of a power of 80 %.
const (
	z95    = 1.959963984540054
	zPower = 0.8416212335729143
)

// Share is k of n.
type Share struct{ K, N int }

func (s Share) rate() float64 { return float64(s.K) / float64(s.N) }

// Wilson returns the 95 % score interval of a share.
func Wilson(s Share) (lo, hi float64) {
	n, p := float64(s.N), s.rate()
	const z2 = z95 * z95
	centre := p + z2/(2*n)
	half := z95 * math.Sqrt(p*(1-p)/n+z2/(4*n*n))
	lo, hi = (centre-half)/(1+z2/n), (centre+half)/(1+z2/n)
	return max(0, lo), min(1, hi)
}

// Newcombe returns the 95 % interval of the difference b-a of two independent
// shares, made of their score intervals (Newcombe 1998, method 10).
func Newcombe(a, b Share) (lo, hi float64) {
	pa, pb := a.rate(), b.rate()
	la, ua := Wilson(a)
	lb, ub := Wilson(b)
	d := pb - pa
	return d - math.Hypot(pb-lb, ua-pa), d + math.Hypot(ub-pb, pa-la)
}

// Fisher returns the two-sided exact probability that two shares of one rate
// lie at least as far apart: all tables that are no likelier than the one seen.
// It takes one step a table, of which there are at most as many as items.
func Fisher(a, b Share) float64 {
	good, bad := a.K+b.K, a.N+b.N-a.K-b.K
	// How likely k right ones in A are, against k-1.
	ratio := func(k int) float64 {
		return float64(good-k+1) * float64(a.N-k+1) / (float64(k) * float64(bad-a.N+k))
	}
	const ties = 1 + 1e-7 // tables as likely as the one seen count, rounding apart
	all, unlikely := 1.0, 1.0
	take := func(likely float64) {
		all += likely
		if likely <= ties {
			unlikely += likely
		}
	}
	likely := 1.0
	for k := a.K + 1; k <= min(good, a.N); k++ {
		likely *= ratio(k)
		take(likely)
	}
	likely = 1.0
	for k := a.K; k > max(0, a.N-bad); k-- {
		likely /= ratio(k)
		take(likely)
	}
	return unlikely / all
}

func logChoose(n, k int) float64 {
	return logFactorial(n) - logFactorial(k) - logFactorial(n-k)
}

func logFactorial(n int) float64 {
	l, _ := math.Lgamma(float64(n) + 1)
	return l
}

// detectableShare is the smallest difference from a, towards one half, that
// Fisher's test would call significant in samples of these sizes. Towards one
// half is where most is needed.
func detectableShare(a Share, nb int, alpha float64) (diff float64, items int, ok bool) {
	start := int(math.Round(a.rate() * float64(nb)))
	step, room := -1, start
	if a.rate() < 0.5 {
		step, room = 1, nb-start
	}
	shown := func(m int) bool { return Fisher(a, Share{start + step*m, nb}) < alpha }
	if room < 1 || !shown(room) {
		return 0, 0, false
	}
	low, high := 0, room
	for high-low > 1 {
		if mid := (low + high) / 2; shown(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return float64(high) / float64(nb), high, true
}

// moreItems is how many more items an arm needs so that a true difference of
// delta is shown in 4 of 5 cases.
func moreItems(a, b Share, delta float64) int {
	variance := a.variance() + b.variance()
	need := math.Pow(z95+zPower, 2) * variance / (delta * delta)
	return more(need, min(a.N, b.N))
}

// variance is that of one item, pulled towards one half so that a share of 0
// or 1 is not taken for certain.
func (s Share) variance() float64 {
	p := (float64(s.K) + 2) / (float64(s.N) + 4)
	return p * (1 - p)
}

// more is what is missing from have to need, at least one: it is asked for
// only where what there is did not suffice.
func more(need float64, have int) int {
	const most = 1e12
	return max(1, int(math.Ceil(min(need, most)))-have)
}
