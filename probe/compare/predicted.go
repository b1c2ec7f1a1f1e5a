package compare

import "fmt"

// mostFlips bounds the list of flipped items.
const mostFlips = 50

// Predictions compares the outputs of two arms for the same items.
func Predictions(a, b []Item, score Score, opt Options) (*Report, error) {
	s, err := score.scorer()
	if err != nil {
		return nil, err
	}
	pairs, alone, err := pairUp(a, b)
	if err != nil {
		return nil, err
	}
	r := &Report{Version: Version}
	if alone > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d items stand in one arm only and were left out", alone))
	}
	m := Metric{Name: string(score), Unit: "items", Within: opt.Within}
	if score == Accuracy {
		m.flips(pairs)
	} else {
		m.resampled(pairs, s)
	}
	r.Metrics = []Metric{m}
	r.conclude()
	return r, nil
}

// flips compares right and wrong items by McNemar's test.
func (m *Metric) flips(pairs []pair) {
	var p Pairs
	for _, x := range pairs {
		inA, inB := right(x.a) == 1, right(x.b) == 1
		switch {
		case inA && inB:
			p.Both++
		case inA:
			p.OnlyA++
			m.flip(x.a.ID, "A")
		case inB:
			p.OnlyB++
			m.flip(x.b.ID, "B")
		default:
			p.Neither++
		}
	}
	m.pairs(p, alphaDefault)
}

func (m *Metric) flip(item, arm string) {
	m.FlippedAll++
	if len(m.Flipped) < mostFlips {
		m.Flipped = append(m.Flipped, Flip{item, arm})
	}
}

func (m *Metric) pairs(p Pairs, alpha float64) {
	if m.Within == 0 {
		m.Within = defaultWithin
	}
	m.Test = "McNemar, exact"
	m.A, m.B = pairSide(p.a()), pairSide(p.b())
	m.Granularity = &Granularity{N: p.N(), Step: 1 / float64(p.N()), How: "the predictions are " + fmt.Sprint(p.N()) + " items"}
	m.Difference = float64(p.OnlyB-p.OnlyA) / float64(p.N())
	lo, hi := NewcombePaired(p)
	prob := McNemar(p.OnlyA, p.OnlyB)
	m.Interval, m.P = &Interval{lo, hi}, &prob
	if d, _, ok := detectablePairs(p, alpha); ok {
		m.Detectable = &d
	}
	m.Aim = max(abs(m.Difference), m.Within)
	m.More = morePairs(p, m.Aim)
	m.Notes = append(m.Notes, fmt.Sprintf("right in both %d, in A only %d, in B only %d, in neither %d", p.Both, p.OnlyA, p.OnlyB, p.Neither))
}

func pairSide(s Share) Side {
	lo, hi := Wilson(s)
	return Side{Value: s.rate(), N: s.N, K: &s.K, Interval: &Interval{lo, hi}}
}

// resampled compares scores that are computed over all items together.
func (m *Metric) resampled(pairs []pair, s scorer) {
	as, bs := make([]counts, len(pairs)), make([]counts, len(pairs))
	for i, x := range pairs {
		as[i], bs[i] = s.count(x.a), s.count(x.b)
	}
	m.Test = "randomisation over items; interval by paired bootstrap"
	m.A = Side{Value: s.total(sumOf(as)), N: len(pairs)}
	m.B = Side{Value: s.total(sumOf(bs)), N: len(pairs)}
	if m.Within == 0 {
		m.Within = defaultWithin * max(abs(m.A.Value), abs(m.B.Value))
	}
	m.Difference = m.B.Value - m.A.Value
	rounds := roundsFor(len(pairs), len(as[0]))
	lo, hi := pairedBootstrap(as, bs, s.total, rounds)
	p := randomisation(as, bs, s.total, rounds)
	m.Interval, m.P = &Interval{lo, hi}, &p
	half := (hi - lo) / 2
	m.Detectable = &half
	m.Aim = max(abs(m.Difference), m.Within)
	// The half width is z95 standard errors, which fall with the root of n.
	if m.Aim > 0 {
		m.More = more(float64(len(pairs))*sq(half/z95*(z95+zPower)/m.Aim), len(pairs))
	}
}
