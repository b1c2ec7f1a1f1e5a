// Package lib wraps guards, so that facts have to cross two packages.
package lib

import (
	"errors"
	"fmt"

	"github.com/trainvet/trainvet/guards"
)

// Text is a decode behind a guard.
func Text(ids []int32) (string, error) {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		return "", fmt.Errorf("decoding %d ids: %w", len(ids), err)
	}
	return "text", nil
}

// Decoder is implemented here alone.
type Decoder interface {
	Decode(ids []int32) (string, error)
}

// D implements Decoder.
type D struct{}

// Decode is guarded.
func (D) Decode(ids []int32) (string, error) { return Text(ids) }

// IsFault tells.
func IsFault(err error) bool { return errors.Is(err, guards.ErrFault) }
