// Package lib wraps guards.
package lib

import (
	"errors"
	"fmt"

	"github.com/trainvet/trainvet/guards"
)

func Text(ids []int32) (string, error) { // want Text:"mayFault\\(guards.CheckTokenIDs < lib.Text\\)" Text:"reaches\\(guard: guards.CheckTokenIDs\\)"
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		return "", fmt.Errorf("decoding: %w", err)
	}
	return "text", nil
}

func Lost(ids []int32) error { // want Lost:"reaches"
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		return errors.New(err.Error())
	}
	return nil
}

type Decoder interface {
	Decode(ids []int32) (string, error) // want Decode:"mayFault" Decode:"reaches"
}

type D struct{}

func (D) Decode(ids []int32) (string, error) { return Text(ids) } // want Decode:"mayFault" Decode:"reaches"

func IsFault(err error) bool { return errors.Is(err, guards.ErrFault) } // want IsFault:"tells\\(0\\)"

func IsQuality(err error) bool { return errors.Is(err, guards.ErrQuality) }
