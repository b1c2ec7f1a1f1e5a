package guards

import (
	"os"

	"github.com/trainvet/trainvet/guards/record"
)

// Kind says what a file is to the run.
type Kind string

// The kinds of file.
const (
	Checkpoint  Kind = "checkpoint"  // parameters
	Predictions Kind = "predictions" // outputs of the model
	State       Kind = "state"       // optimizer, scaler, counters, history
	Data        Kind = "data"        // what is trained or evaluated on
	Other       Kind = ""
)

// Wrote records that the trainer wrote a file or folder; call it when the file
// is closed. It returns the fault that the run has seen before: what was
// written after it carries it on into every run that reads it.
func (r *Run) Wrote(path string, kind Kind) error {
	r.artifact("wrote", path, kind)
	return r.after("artifact " + path)
}

// Read records that the trainer read a file or folder. If a run before left it
// tainted, this one inherits the taint.
func (r *Run) Read(path string, kind Kind) { r.artifact("read", path, kind) }

// Wrote is [Run.Wrote] of the default run.
func Wrote(path string, kind Kind) error { return Default().Wrote(path, kind) }

// Read is [Run.Read] of the default run.
func Read(path string, kind Kind) { Default().Read(path, kind) }

func (r *Run) artifact(op, path string, kind Kind) {
	if r.out == nil {
		return
	}
	if op == "wrote" {
		r.flushSteps()
	}
	b := &record.Artifact{Op: op, Path: path, Size: size(path), Step: r.Step(), Kind: string(kind), Taint: r.tainted()}
	if kind == Checkpoint {
		b.Sample = sample(path, b.Size)
	}
	r.write(b)
}

// size is that of a plain file; a folder has none, and neither has what lies
// behind the address of an object store.
func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return None
	}
	return info.Size()
}
