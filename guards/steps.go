package guards

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/trainvet/trainvet/guards/record"
)

// Steps is the step ledger of one optimizer: what was planned, attempted,
// applied and thrown away. Get it once from [Run.Steps]; a tick is a few atomic
// additions.
//
// An attempt is a step that the trainer asked for. It was applied when the
// parameters were updated; a loss scaler that met an overflow skips it, and
// nothing but this count tells.
type Steps struct {
	run       *Run
	optimizer string
	how       atomic.Pointer[string] // where skips are read
	planned   atomic.Int64
	attempted atomic.Int64
	applied   atomic.Int64
	skipped   atomic.Int64
	samples   atomic.Int64
	inRow     atomic.Int64 // skipped steps in a row, up to now
	written   atomic.Int64 // attempted, at the last record

	mu      sync.Mutex // guards what skips are not written; taken at a skip and after one
	stretch stretch
}

// Where skips are read, as records say it.
const (
	howTrainer  = "trainer"   // the trainer says of each step what became of it
	howFoundInf = "found-inf" // the overflow flag of a loss scaler
)

// Steps returns the step ledger of an optimizer, the same one for the same
// name. A trainer with one optimizer may leave the name empty.
func (r *Run) Steps(optimizer string) *Steps {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.ledgers {
		if s.optimizer == optimizer {
			return s
		}
	}
	s := &Steps{run: r, optimizer: optimizer}
	s.readBy(howTrainer)
	r.ledgers = append(r.ledgers, s)
	if !slices.Contains(r.live, "steps") {
		r.live = append(r.live, "steps")
	}
	return s
}

// NewSteps is [Run.Steps] of the default run.
func NewSteps(optimizer string) *Steps { return Default().Steps(optimizer) }

// Plan says how many steps the optimizer is to make in this process.
func (s *Steps) Plan(steps int64) { s.planned.Store(max(steps, 0)) }

// Apply counts a step that updated the parameters, from so many samples (0
// where that is not known).
func (s *Steps) Apply(samples int64) {
	n := s.attempted.Add(1)
	s.applied.Add(1)
	s.tick(n, samples)
	if s.inRow.Load() != 0 {
		s.endStretch()
	}
}

// Skip counts a step that was asked for and thrown away. The reason is one
// word: nonfinite-loss, clipped, found-inf …
func (s *Steps) Skip(samples int64, reason string) {
	s.skip(samples, record.Skip{Reason: reason})
}

// Step counts one step by the flag that an optimizer returns.
func (s *Steps) Step(applied bool, samples int64) {
	if applied {
		s.Apply(samples)
	} else {
		s.Skip(samples, "not-applied")
	}
}

// NoStep says that a training was asked for and made no step, as one does that
// goes on from a checkpoint behind its target. It returns a [*Finding] that
// says why; a trainer that only evaluates then may go on.
func (s *Steps) NoStep(why string) error {
	e := seen("nothing-trained")
	e.name, e.text = s.optimizer, "0 steps applied: "+why
	return s.run.find(e)
}

// readBy says where skips are read: howFoundInf outranks the trainer's word.
func (s *Steps) readBy(how string) { s.how.Store(&how) }

func (s *Steps) tick(n, samples int64) {
	if samples > 0 {
		s.samples.Add(samples)
	}
	if due(n) {
		s.flush()
	}
}

// due says when totals are written: each of the first 32, then 16 times as a
// count doubles. A value that is printed and not reported is judged by the last
// record before it; at powers of two alone 2 skips of 60 would read as 2 of 32.
func due(n int64) bool {
	shift := max(0, highBit(n)-5)
	return n&(1<<shift-1) == 0
}

// Attempted is how many steps were asked for.
func (s *Steps) Attempted() int64 { return s.attempted.Load() }

// Applied is how many steps updated the parameters.
func (s *Steps) Applied() int64 { return s.applied.Load() }

// Skipped is how many steps were thrown away.
func (s *Steps) Skipped() int64 { return s.skipped.Load() }

// flush writes the totals where they changed since the last record.
func (s *Steps) flush() {
	if s.run.out == nil || s.run.closed.Load() {
		return
	}
	s.writeTotals()
}

func (s *Steps) writeTotals() {
	b := s.body()
	if s.written.Swap(b.Attempted) == b.Attempted {
		return
	}
	s.run.bootMore()
	s.run.write(b)
}

// body reads what follows from an attempt before the attempts, so that the
// parts never exceed the whole.
func (s *Steps) body() *record.Step {
	b := &record.Step{Optimizer: s.optimizer, Step: s.run.Step(), Planned: s.planned.Load(), How: *s.how.Load()}
	b.Samples, b.Applied, b.Skipped = s.samples.Load(), s.applied.Load(), s.skipped.Load()
	b.Attempted = s.attempted.Load()
	return b
}
