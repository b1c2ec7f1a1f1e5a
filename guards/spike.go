package guards

import (
	"fmt"
	"strconv"
	"sync"
)

// SpikeWatch holds a gradient norm against its last values: one of 58,463 among
// norms of 13 to 45 is a finding of quality. Make one for each norm, with
// [WatchSpikes].
type SpikeWatch struct {
	run   *Run
	name  string
	mu    sync.Mutex
	ring  [spikeWindow]float64
	n     int // norms seen and kept
	above int // spikes in a row
}

const (
	spikeWindow = 64
	spikeAfter  = 16 // norms before one is judged
	// Healthy runs show norms of ten times their recent greatest, after a hard
	// batch or a warm restart; a norm of 20 times is none that they have shown.
	spikeRatio = 20
	// So many spikes in a row are where the norm is now.
	spikeRegime = 8
)

// WatchSpikes watches a norm for the run of the process. The name says which
// one it is, and may be empty.
func WatchSpikes(name string) *SpikeWatch { return Default().WatchSpikes(name) }

// WatchSpikes is the function of that name for this run.
func (r *Run) WatchSpikes(name string) *SpikeWatch { return &SpikeWatch{run: r, name: name} }

// Norm takes the norm of a step. It returns a [*Finding] where the norm leaves
// its window upwards, nil otherwise. A norm that is not finite is none of its
// business: see [FiniteWatch]. It locks, and does not allocate while all is
// well.
func (w *SpikeWatch) Norm(norm float64) error {
	if !finiteValue(norm) || norm < 0 {
		return nil
	}
	w.mu.Lock()
	low, high, judged := w.take(norm)
	w.mu.Unlock()
	if !judged {
		return nil
	}
	e := seen("gradient-spike")
	e.name, e.value = w.name, strconv.FormatFloat(norm, 'g', -1, 64)
	w.run.bound(&e)
	e.text = fmt.Sprintf("a gradient norm of %.6g among norms of %.6g to %.6g", norm, low, high)
	return w.run.find(e)
}

// take keeps the norm, unless it is a spike among those kept. It needs the lock.
func (w *SpikeWatch) take(norm float64) (low, high float64, spike bool) {
	kept := w.ring[:min(w.n, spikeWindow)]
	for i, v := range kept {
		if i == 0 {
			low = v
		}
		low, high = min(low, v), max(high, v)
	}
	if w.n >= spikeAfter && high > 0 && norm > spikeRatio*high {
		w.above++
		if w.above < spikeRegime {
			return low, high, true
		}
		w.n = 0
	}
	w.above = 0
	w.ring[w.n%spikeWindow] = norm
	w.n++
	return low, high, false
}
