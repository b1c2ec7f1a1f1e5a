package cli

import (
	"context"
	"errors"
	"fmt"
)

// Exit codes of design.md, the same for every format.
const (
	CodeOK       = 0
	CodeFound    = 1 // a claim POISONED, a finding, a failed check
	CodeUsage    = 2 // usage or configuration
	CodeCouldNot = 3 // could not be done
	CodeDoubt    = 4 // no claim POISONED, one UNPROVEN or DEGRADED
)

// UsageError is a command line or configuration that cannot be meant: exit 2.
type UsageError struct {
	Err  error
	Help []string // lines for the reader: what was meant, what there is to choose from
}

func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap returns what was wrong.
func (e *UsageError) Unwrap() error { return e.Err }

// Usage says what is wrong with the command line or the configuration.
func Usage(format string, args ...any) *UsageError {
	return &UsageError{Err: fmt.Errorf(format, args...)}
}

// With adds lines for the reader below the error.
func (e *UsageError) With(lines ...string) *UsageError {
	return &UsageError{Err: e.Err, Help: append(e.Help[:len(e.Help):len(e.Help)], lines...)}
}

// CouldNotError is work that could not be done: exit 3.
type CouldNotError struct {
	Doing string
	Err   error
}

func (e *CouldNotError) Error() string {
	if e.Doing == "" {
		return e.Err.Error()
	}
	return e.Doing + ": " + e.Err.Error()
}

// Unwrap returns why.
func (e *CouldNotError) Unwrap() error { return e.Err }

// CouldNot says what was being done when err came; doing may be empty.
func CouldNot(doing string, err error) error { return &CouldNotError{doing, err} }

// OutcomeError is the exit code of a command that did its work and found
// something. It prints nothing: the report has said it all.
type OutcomeError struct{ Code int }

func (e *OutcomeError) Error() string { return fmt.Sprintf("outcome %d", e.Code) }

// Outcome returns nil for code 0.
func Outcome(code int) error {
	if code == CodeOK {
		return nil
	}
	return &OutcomeError{code}
}

// code maps an error to an exit code. An error of no known type could not be
// foreseen, so the work was not done.
func code(err error) int {
	var (
		usage   *UsageError
		outcome *OutcomeError
	)
	switch {
	case err == nil:
		return CodeOK
	case errors.As(err, &outcome):
		return outcome.Code
	case errors.As(err, &usage):
		return CodeUsage
	}
	return CodeCouldNot
}

// quiet reports errors that need no words.
func quiet(err error) bool {
	var outcome *OutcomeError
	return errors.As(err, &outcome) || errors.Is(err, context.Canceled)
}
