package scan

import (
	"errors"
	"fmt"
	"io"
)

// ErrNoLiterals says that [New] was given nothing to look for.
var ErrNoLiterals = errors.New("no literals to look for")

// ShortLiteralError says that a literal has under 8 bytes: it would not hold a
// whole gram for every starting position, so the filter could miss it.
type ShortLiteralError struct {
	Index   int // in the list given to New
	Literal string
}

func (e *ShortLiteralError) Error() string {
	return fmt.Sprintf("literal %d (%q) has %d bytes, the filter needs %d: write it with its context",
		e.Index, e.Literal, len(e.Literal), minLiteral)
}

// ShortReadError says that a source ended before the size that was announced:
// it shrank while it was read. What was there has been delivered.
type ShortReadError struct {
	Size int64 // announced
	Got  int64 // delivered
}

func (e *ShortReadError) Error() string {
	return fmt.Sprintf("source ended after %d of %d bytes", e.Got, e.Size)
}

// Unwrap makes the error match [io.ErrUnexpectedEOF].
func (e *ShortReadError) Unwrap() error { return io.ErrUnexpectedEOF }

// ReadError says that reading stopped. What came before Offset has been
// delivered.
type ReadError struct {
	Offset int64
	Err    error
}

func (e *ReadError) Error() string { return fmt.Sprintf("reading at offset %d: %v", e.Offset, e.Err) }

// Unwrap returns the reader's error.
func (e *ReadError) Unwrap() error { return e.Err }
