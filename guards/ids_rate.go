package guards

import (
	"math"
	"sync"
)

// The rate rule: up to 1 in 1,000 ids in padding columns is what a healthy
// model does now and then, a note; more is a doubt. A handful in a short batch
// is no rate, so that the excess must be one that chance does not explain. A
// model that was never trained draws its padding columns as often as any
// others; it is told by that very share.

const (
	noteRate    = 1.0 / 1000
	fewEvents   = 3       // below it no rate is judged
	windowIDs   = 1 << 16 // ids that a judgement looks back on, at most twice as many
	rareExcess  = 1e-3    // how likely an excess over noteRate is by chance, at most
	rareUniform = 1e-6    // the same for the share of an untrained model; it is judged at each batch
)

// rate is what a site saw of unmapped ids lately.
type rate struct {
	mu     sync.Mutex
	start  int64 // ids that the site had seen when the window began
	events int64
	alone  sheet // of ids that come one by one, whose row nobody knows
}

// again tells whether an unmapped id that came alone did so before.
func (r *rate) again(id int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.alone.again(id)
}

// add takes the events of a batch of n ids, the last of the total that the site
// has seen. It tells whether they are more than a healthy model gives: in the
// batch, or in the window.
func (r *rate) add(events, n, total int64, untrained float64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events += events
	seen := max(total-r.start, n)
	many := tooMany(events, n, untrained) || tooMany(r.events, seen, untrained)
	if seen > 2*windowIDs {
		r.start = total - seen/2
		r.events /= 2
		r.alone.nseen = 0
	}
	return many
}

// tooMany judges k events among n ids. Untrained is the share of padding
// columns among all.
func tooMany(k, n int64, untrained float64) bool {
	ids := float64(n)
	if k < fewEvents || float64(k) <= ids*noteRate || tail(k, ids*noteRate) >= rareExcess {
		return false
	}
	asUntrained := tail(k, ids*untrained) >= rareUniform && 1-tail(k+1, ids*untrained/2) >= rareExcess
	return !asUntrained
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
