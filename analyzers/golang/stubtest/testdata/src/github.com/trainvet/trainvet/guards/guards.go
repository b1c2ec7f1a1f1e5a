// Package guards is a stand-in: what analyzers see of the real one.
package guards

import "errors"

// ErrFault is what every fault is.
//
//trainvet:fault
var ErrFault = errors.New("the machine miscomputed")

// ErrQuality is what a quality finding is: no fault.
var ErrQuality = errors.New("the training is not good")

// Fault is raised by a guard.
//
//trainvet:fault
type Fault struct{ Value int }

func (f *Fault) Error() string        { return "fault" }
func (f *Fault) Is(target error) bool { return target == ErrFault }

// Finding is a quality finding.
type Finding struct{ Text string }

func (f *Finding) Error() string { return f.Text }

type Site struct{}

type Vocab struct{}

func NewVocab(size int) (*Vocab, error) { return nil, nil }

func DecodeSite(name string, v *Vocab) *Site { return nil }

type ID interface {
	~int | ~int32 | ~int64 | ~uint | ~uint32 | ~uint16
}

// CheckTokenIDs is a guard.
//
//trainvet:guard ids=1
func CheckTokenIDs[T ID](site *Site, ids []T) error {
	for _, id := range ids {
		if int64(id) < 0 || int64(id) > 100 {
			return raise(int(id))
		}
	}
	return nil
}

//trainvet:guard ids=1
func CheckTokenRows[T ID](site *Site, rows [][]T) error { return nil }

//trainvet:guard ids=1
func CheckTokenID[T ID](site *Site, id T) error { return nil }

func raise(v int) error { return &Fault{v} }

// Finite has no ids and no directive: it is known by the type of its error.
func Finite(x float32) error {
	if x != x {
		return raise(0)
	}
	return nil
}

// Loss finds that the training is bad: no fault.
func Loss(x float32) error {
	if x > 100 {
		return &Finding{"loss"}
	}
	return nil
}

type Steps struct{}

func NewSteps(optimizer string) *Steps { return nil }

func (s *Steps) Step(applied bool, samples int64) {}

// Run remembers its first fault.
type Run struct{ first *Fault }

// Err is the first fault of a run; it stays.
func (r *Run) Err() error {
	if r.first != nil {
		return r.first
	}
	return nil
}

// Err is the first fault of the default run.
func Err() error { return std.Err() }

var std = &Run{}
