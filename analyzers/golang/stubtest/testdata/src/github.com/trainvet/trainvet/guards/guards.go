// Package guards is a stand-in: what analyzers see of the real one.
package guards

import "errors"

var ErrFault = errors.New("fault")

type Fault struct{}

func (*Fault) Error() string { return "fault" }

type Site struct{}

type Vocab struct{}

func NewVocab(size int) (*Vocab, error) { return nil, nil }

func DecodeSite(name string, v *Vocab) *Site { return nil }

type ID interface {
	~int | ~int32 | ~int64 | ~uint | ~uint32 | ~uint16
}

//trainvet:guard ids=1
func CheckTokenIDs[T ID](site *Site, ids []T) error { return nil }

//trainvet:guard ids=1
func CheckTokenRows[T ID](site *Site, rows [][]T) error { return nil }

//trainvet:guard ids=1
func CheckTokenID[T ID](site *Site, id T) error { return nil }

type Steps struct{}

func NewSteps(optimizer string) *Steps { return nil }

func (s *Steps) Step(applied bool, samples int64) {}
