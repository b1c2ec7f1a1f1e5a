package compare

import "math"

// Pairs counts the items of two arms: right in both, in A only, in B only, in
// neither.
type Pairs struct{ Both, OnlyA, OnlyB, Neither int }

// N is the number of items.
func (p Pairs) N() int { return p.Both + p.OnlyA + p.OnlyB + p.Neither }

func (p Pairs) a() Share { return Share{p.Both + p.OnlyA, p.N()} }
func (p Pairs) b() Share { return Share{p.Both + p.OnlyB, p.N()} }

// McNemar returns the two-sided exact probability of so uneven a split of the
// items that flipped, when either way is as likely.
func McNemar(onlyA, onlyB int) float64 { return signTest(min(onlyA, onlyB), onlyA+onlyB) }

// signTest is the two-sided probability of at most few of n, each with one half.
func signTest(few, n int) float64 {
	p := 0.0
	for k := 0; k <= few; k++ {
		p += math.Exp(logChoose(n, k) - float64(n)*math.Ln2)
	}
	return min(1, 2*p)
}

// NewcombePaired returns the 95 % interval of the difference b-a over the same
// items (Newcombe 1998, paired, method 10).
func NewcombePaired(p Pairs) (lo, hi float64) {
	pa, pb := p.a().rate(), p.b().rate()
	la, ua := Wilson(p.a())
	lb, ub := Wilson(p.b())
	phi := p.correlation()
	d := pb - pa
	down := math.Sqrt(max(0, sq(pb-lb)-2*phi*(pb-lb)*(ua-pa)+sq(ua-pa)))
	up := math.Sqrt(max(0, sq(ub-pb)-2*phi*(ub-pb)*(pa-la)+sq(pa-la)))
	return d - down, d + up
}

// correlation is that of the two arms over the items, with Newcombe's
// correction of a positive one.
func (p Pairs) correlation() float64 {
	e, f, g, h := float64(p.Both), float64(p.OnlyB), float64(p.OnlyA), float64(p.Neither)
	under := (e + f) * (g + h) * (e + g) * (f + h)
	if under == 0 {
		return 0
	}
	over := e*h - f*g
	if over > 0 {
		over = max(0, over-float64(p.N())/2)
	}
	return over / math.Sqrt(under)
}

func sq(x float64) float64 { return x * x }

// fewestFlips is how many items must flip, all one way, before any split of
// them is significant: 6 at 5 %.
func fewestFlips(alpha float64) int {
	n := 1
	for signTest(0, n) >= alpha {
		n++
	}
	return n
}

// detectablePairs is the smallest difference that McNemar's test would call
// significant with as many flipped items as were seen, or as are needed.
func detectablePairs(p Pairs, alpha float64) (diff float64, items int, ok bool) {
	flips := max(p.OnlyA+p.OnlyB, fewestFlips(alpha))
	if flips > p.N() {
		return 0, 0, false
	}
	few := 0
	for 2*few < flips && signTest(few+1, flips) < alpha {
		few++
	}
	items = flips - 2*few
	return float64(items) / float64(p.N()), items, true
}

// morePairs is how many more items are needed so that a true difference of
// delta is shown in 4 of 5 cases, when as many flip as did here.
func morePairs(p Pairs, delta float64) int {
	const unseen = 3 // of n without one, up to 3 may hide at 95 %
	flips := max(float64(p.OnlyA+p.OnlyB), unseen) / float64(p.N())
	flips = max(flips, delta)
	need := sq(z95*math.Sqrt(flips)+zPower*math.Sqrt(flips-delta*delta)) / (delta * delta)
	return more(max(need, float64(fewestFlips(alphaDefault))/flips), p.N())
}
