package guards

import (
	"math"
	"sync"
)

// The rate rule: up to 1 in 1,000 ids in padding columns is what a healthy
// model does now and then, a note; more is a doubt. A handful in a short batch
// is no rate, so that the excess must be one that chance does not explain. A
// model that was never trained draws its padding columns as often as any
// others; it is told by that very share, and no less than half of it.

const (
	noteRate    = 1.0 / 1000
	fewEvents   = 3       // below it no rate is judged
	windowIDs   = 1 << 16 // ids that a judgement looks back on, at most twice as many
	rareExcess  = 1e-3    // how likely an excess over noteRate is by chance, at most
	rareUniform = 1e-6    // the same for an excess over the share of an untrained model, judged at each batch
	rareScarce  = 1e-3    // and for less than half of that share
)

// rate is what a site saw of unmapped ids lately.
type rate struct {
	mu       sync.Mutex
	start    int64 // ids that the site had seen when the window began
	events   int64
	weighed  int64     // ids of batches that held unmapped ones
	distinct int64     // of these, the ones that did not come again
	lone     stretch64 // unmapped ids that came one by one, whose row nobody knows
}

// add takes a batch of n ids, the last of the total that the site has seen. It
// tells whether its unmapped ids, or those in the window, are more than a
// healthy model gives. Untrained is the share of padding columns among all.
func (r *rate) add(sh *sheet, n, total int64, untrained float64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events += sh.events
	r.weighed += sh.weighed
	r.distinct += sh.distinct
	seen := max(total-r.start, n)
	many := false
	switch {
	case !exceeds(sh.events, n) && !exceeds(r.events, seen):
	case !asDrawn(r.events, float64(seen)*float64(r.distinct)/float64(max(r.weighed, 1))*untrained):
		many = true
	default:
		many = tail(sh.events, float64(sh.distinct)*untrained) < rareUniform
	}
	if seen > 2*windowIDs {
		r.start = total - seen/2
		r.events, r.weighed, r.distinct = r.events/2, r.weighed/2, r.distinct/2
		r.lone = stretch64{}
	}
	return many
}

// alone counts an unmapped id that came by itself: 1, or 0 where it did so
// before in this window.
func (r *rate) alone(u uint64) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lone.again(u) {
		return 0
	}
	return 1
}

// exceeds tells whether k events among n ids are more than a note, and more
// than chance.
func exceeds(k, n int64) bool {
	allowed := float64(n) * noteRate
	return k >= fewEvents && float64(k) > allowed && tail(k, allowed) < rareExcess
}

// asDrawn tells whether k events are what an untrained model gives where even
// draws let mean expect. Its draws are not quite even, hence the half.
func asDrawn(k int64, mean float64) bool {
	return tail(k, mean) >= rareUniform && 1-tail(k+1, mean/2) >= rareScarce
}

// tail is the probability of k events or more where mean are expected (Poisson;
// its normal approximation where the terms would underflow).
func tail(k int64, mean float64) float64 {
	if k <= 0 {
		return 1
	}
	if mean > 500 {
		return math.Erfc((float64(k)-0.5-mean)/math.Sqrt(2*mean)) / 2
	}
	term := math.Exp(-mean)
	below := 0.0
	for i := int64(0); i < k && (term > 0 || float64(i) < mean); i++ {
		below += term
		term *= mean / float64(i+1)
	}
	return max(1-below, 0)
}
