package guards

import "github.com/trainvet/trainvet/guards/record"

// Skips in a row are written one by one at first, so that a killed trainer
// loses none, and at powers of two from there on: a run whose every step
// overflows writes a few dozen records, not one a step.
const singly = 32

// maxStretches is after how many stretches of an optimizer a lone skip is left
// to the totals. What is judged by stretches, those in a row, is still written.
const maxStretches = 4096

// stretch is the skips in a row that no record covers yet.
type stretch struct {
	pending record.Skip
	writes  int64
}

// skip counts a step that was thrown away. Of b it uses Reason, Scale, Scaled
// and AtFloor; the numbers are the ledger's.
func (s *Steps) skip(samples int64, b record.Skip) {
	s.mu.Lock()
	n := s.attempted.Add(1)
	total := s.skipped.Add(1)
	inRow := s.inRow.Add(1)
	p := &s.stretch.pending
	if p.Count == 0 {
		p.From = n
	}
	from, count := p.From, p.Count+1
	*p = b
	p.Optimizer, p.From, p.Until, p.Count, p.Step, p.Total = s.optimizer, from, n, count, s.run.Step(), total
	wrote := (inRow <= singly || powerOfTwo(inRow)) && s.writePending()
	s.mu.Unlock()
	s.tick(n, samples)
	if wrote { // the share of skipped steps is judged by the totals
		s.flush()
	}
}

// endStretch is called by the step that was applied after skipped ones.
func (s *Steps) endStretch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inRow.Store(0)
	s.writePending()
}

// bring writes all that is counted, so that what stands behind the next record
// is known: the stretch that still goes on, and the totals.
func (s *Steps) bring() {
	s.mu.Lock()
	s.writePending()
	s.mu.Unlock()
	s.flush()
}

// writePending writes the stretch so far, if there is one to write. It needs
// the lock.
func (s *Steps) writePending() bool {
	p := &s.stretch.pending
	if p.Count == 0 {
		return false
	}
	b := *p
	*p = record.Skip{}
	s.stretch.writes++
	if s.run.out == nil || s.run.closed.Load() || (s.stretch.writes > maxStretches && b.Count == 1 && s.inRow.Load() <= 1) {
		return false
	}
	s.run.bootMore()
	s.run.write(&b)
	return true
}
