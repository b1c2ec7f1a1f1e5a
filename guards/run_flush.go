package guards

import (
	"cmp"
	"slices"
)

// flush writes every count that is not written yet.
func (r *Run) flush() {
	r.mu.Lock()
	checks := slices.Clone(r.checks)
	r.mu.Unlock()
	for _, c := range checks {
		if c.calls.Load() > 0 {
			c.flush()
		}
	}
	r.flushSteps()
	r.flushEvents()
}

// flushSteps brings the step ledgers up to date, so that the steps behind a
// value are known and not guessed.
func (r *Run) flushSteps() {
	r.mu.Lock()
	ledgers := slices.Clone(r.ledgers)
	r.mu.Unlock()
	for _, s := range ledgers {
		s.bring()
	}
}

// flushEvents writes the events that were only counted since their last record,
// so that the steps that they touch are covered. What was taken to touch nothing
// that training gives touches everything, where nothing was trained after all.
func (r *Run) flushEvents() {
	never := r.untrained() && r.Step() == None
	r.mu.Lock()
	var due []repeated
	for _, k := range r.events {
		if never && k.last.early && k.last.until != None {
			k.written, k.last.until = 0, None
		}
		if k.written < k.n {
			k.written = k.n
			due = append(due, *k)
		}
	}
	r.mu.Unlock()
	slices.SortFunc(due, func(a, b repeated) int {
		return cmp.Or(cmp.Compare(a.last.site, b.last.site), cmp.Compare(a.last.code, b.last.code), cmp.Compare(a.last.name, b.last.name))
	})
	for _, k := range due {
		r.writeEvent(r.grades[k.last.code], k.last, k.n)
	}
}
