package guards

import "github.com/trainvet/trainvet/guards/record"

// Carried is what a checkpoint says of the steps that were made before it.
type Carried struct {
	Optimizer string // as the step ledger is named
	Attempted int64
	Applied   int64
}

// Resumed records that the training goes on from a checkpoint, at a step of the
// trainer's counter (None where it has none). Call it once the checkpoint is
// loaded, before the first step. The audit then joins this process to the one
// that wrote the file: the step ledgers go on from where they stood there, steps
// that the other one made behind the checkpoint count once, and steps that
// nobody saw are named. Carried is for checkpoints that count steps themselves.
//
// A model that is only evaluated, or trained on for another purpose, is none:
// say [Run.Read] alone.
func (r *Run) Resumed(path string, step int64, carried ...Carried) {
	r.SetStep(step)
	r.Read(path, Checkpoint)
	n := size(path)
	b := &record.Resume{Path: path, Size: n, Sample: sample(path, n), Step: r.Step()}
	for _, c := range carried {
		b.Carried = append(b.Carried, record.Carried(c))
	}
	r.write(b)
}

// Resumed is [Run.Resumed] of the default run.
func Resumed(path string, step int64, carried ...Carried) {
	Default().Resumed(path, step, carried...)
}
