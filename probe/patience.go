package probe

import (
	"sync"
	"time"
)

// mostCrowded bounds how much longer is waited on a busy machine.
const mostCrowded = 8

// patience ends what says nothing for too long. Where more processes want to run
// than there are processors all of them take longer, and a check that is slow for
// that is no hang of the device: then it waits for so many times as long.
type patience struct {
	crowd func() float64 // nil: nobody knows
	end   func()

	mu    sync.Mutex
	timer *time.Timer
	given int // how often it was given time
}

// give allows so much from now on.
func (p *patience) give(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.given++
	p.after(d, p.given, func() { p.stretch(d) })
}

// after runs what is due, unless time was given again meanwhile.
func (p *patience) after(d time.Duration, given int, due func()) {
	if p.timer != nil {
		p.timer.Stop()
	}
	p.timer = time.AfterFunc(d, func() {
		p.mu.Lock()
		stale := given != p.given
		p.mu.Unlock()
		if !stale {
			due()
		}
	})
}

// stretch waits on, for as long as the machine is said to be slower.
func (p *patience) stretch(d time.Duration) {
	more := time.Duration(0)
	if p.crowd != nil {
		more = time.Duration(float64(d) * (min(p.crowd(), mostCrowded) - 1))
	}
	if more <= 0 {
		p.end()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.after(more, p.given, p.end)
}

// stop ends nothing any more.
func (p *patience) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.given++
	if p.timer != nil {
		p.timer.Stop()
	}
}
